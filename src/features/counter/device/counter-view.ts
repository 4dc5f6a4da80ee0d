// The displayed state of an open counter.
import type { CounterOrder } from '../contract.ts';
import type { Snapshot } from './counter-db.ts';
import type { NewWrite, QueuedWrite } from './writes.ts';

/** Milliseconds (contract §14). */
export const UNDO_FOR = 30_000;

/** One undoable step: the writes of one key press. */
export interface Step {
  readonly label: string;
  readonly orderId: number;
  readonly writes: readonly NewWrite[];
  /** Milliseconds since 1970-01-01. */
  readonly until: number;
}

export interface CounterView {
  /** Null until the first read of the orders. */
  readonly snapshot: Snapshot | null;
  readonly orders: ReadonlyMap<number, CounterOrder>;
  /** The queued writes of this user. */
  readonly writes: readonly QueuedWrite[];
  readonly isReachable: boolean;
  /** Whether the distribution accepts no actual quantities. */
  readonly isClosed: boolean;
  /** The error of the first read, if the device has no stored data. */
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
