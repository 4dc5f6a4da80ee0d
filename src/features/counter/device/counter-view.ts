// What an open counter shows.
import type { CounterOrder } from '../contract.ts';
import type { Snapshot } from './counter-db.ts';
import type { NewWrite, QueuedWrite } from './writes.ts';

/** Milliseconds (contract §14). */
export const UNDO_FOR = 30_000;

/** What one key did, for its undo. */
export interface Step {
  readonly label: string;
  readonly orderId: number;
  readonly writes: readonly NewWrite[];
  /** Milliseconds since 1970. */
  readonly until: number;
}

export interface CounterView {
  /** Null until the families are read for the first time. */
  readonly snapshot: Snapshot | null;
  readonly orders: ReadonlyMap<number, CounterOrder>;
  /** Of this person. */
  readonly writes: readonly QueuedWrite[];
  readonly isReachable: boolean;
  /** The distribution accepts no actual quantities. */
  readonly isClosed: boolean;
  /** The first read failed, and nothing is on the device. */
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
