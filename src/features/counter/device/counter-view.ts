// The state that an open counter displays.
import type { CounterOrder } from '../contract.ts';
import type { Snapshot } from './counter-db.ts';
import type { NewWrite, QueuedWrite } from './writes.ts';

/** Milliseconds (contract §14). */
export const UNDO_FOR = 30_000;

/** One step that Undo takes back: the writes that one action of the user has queued. */
export interface Step {
  readonly label: string;
  readonly orderId: number;
  readonly writes: readonly NewWrite[];
  /** Milliseconds since 1970-01-01. */
  readonly until: number;
}

export interface CounterView {
  /** The data of the distribution except its orders; null until it was read for the first time. */
  readonly snapshot: Snapshot | null;
  readonly orders: ReadonlyMap<number, CounterOrder>;
  /** The writes of this user that are in the queue. */
  readonly writes: readonly QueuedWrite[];
  readonly isReachable: boolean;
  /** Whether the distribution accepts no actual quantities. */
  readonly isClosed: boolean;
  /** Why the first read failed, when the device has no stored data to show instead; otherwise null. */
  readonly error: Error | null;
  readonly lastStep: Step | null;
}

export const NOTHING: CounterView = {
  snapshot: null,
  orders: new Map(),
  writes: [],
  isReachable: true,
  isClosed: false,
  error: null,
  lastStep: null,
};
