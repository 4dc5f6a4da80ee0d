// The state that an open counter displays.
import { CallError } from '../../../client/api/fetch.ts';
import type { Cents } from '../../../domain/money.ts';
import type { CurrentUser } from '../../auth/contract.ts';
import type { CounterOrder, CounterState } from '../contract.ts';
import type { Snapshot } from './counter-db.ts';
import { isRefused, type NewWrite, type QueuedWrite } from './writes.ts';

/** The milliseconds during which a step can be undone (contract §14). */
export const UNDO_FOR = 30_000;

/** A step is one action of the user that Undo can revert. It consists of the writes that the action has queued. */
export interface Step {
  readonly orderId: number;
  /** The name of the family, or the number of the order if its name is not on the device. */
  readonly family: string;
  /** Describes the action, for example 'Brisket 1/2: 4.5 lb'. */
  readonly what: string;
  readonly writes: readonly NewWrite[];
  /** Milliseconds since 1970-01-01. */
  readonly until: number;
}

/** The cash that a family gets back after a payment. */
export interface ChangeDue {
  readonly orderId: number;
  readonly family: string;
  readonly amount: Cents;
}

export const isHandOver = ({ writes }: Step): boolean => writes.some(({ write }) => write.kind === 'picked-up' && write.pickedUp);

/** Returns whether a payment of the step was sent, so that only a reversal can take it back. */
export const isPaymentSent = (step: Step, queue: readonly QueuedWrite[]): boolean =>
  step.writes.some(({ key, write }) => {
    const queued = queue.find((each) => each.key === key);
    return write.kind === 'payment' && !(queued && (queued.status === 'waiting' || isRefused(queued)));
  });

/** Returns whether Undo takes a payment of the step back. Agents cannot reverse a payment that was sent. */
export const takesPaymentBack = (step: Step, queue: readonly QueuedWrite[], role: CurrentUser['role']): boolean =>
  step.writes.some(({ write }) => write.kind === 'payment') && (role === 'distributor' || !isPaymentSent(step, queue));

/**
 * Returns whether the payment of the step was refused, so that the user holds money about which the user must decide. If the user has
 * decided in another tab, the queue no longer contains the payment; a sent one stays in the queue until its step can no longer be undone.
 */
export const isPaymentRefused = (step: Step, queue: readonly QueuedWrite[]): boolean =>
  step.writes.some(({ key, write }) => {
    const queued = queue.find((each) => each.key === key);
    return write.kind === 'payment' && (!queued || isRefused(queued));
  });

/** 'offline': no response, 'busy': the server has refused a request because of its load, 'failing': the server has an error. */
export type Connection = 'online' | 'offline' | 'busy' | 'failing';

export function connectionAfter(error: unknown): Connection {
  if (!(error instanceof CallError)) return 'offline';
  return !error.isFromServer || (error.status >= 500 && error.status !== 503) ? 'failing' : 'busy';
}

export interface CounterView {
  /** The data of the distribution except its orders; null until it was read for the first time. */
  readonly snapshot: Snapshot | null;
  readonly orders: ReadonlyMap<number, CounterOrder>;
  /** The writes of this user that are in the queue. */
  readonly writes: readonly QueuedWrite[];
  /** The number of unsent writes of other users on this device. */
  readonly othersUnsent: number;
  readonly connection: Connection;
  /** Whether the distribution accepts no actual quantities. */
  readonly isClosed: boolean;
  /** Why the first read failed, when the device has no stored data to show instead; otherwise null. */
  readonly error: Error | null;
  readonly lastStep: Step | null;
  /** The cash to give back after the last payment; null if there is none, or after another order was opened. */
  readonly changeDue: ChangeDue | null;
}

/**
 * Returns the snapshot after a read. A read contains the catalogue only if it has changed; otherwise the snapshot keeps the catalogue of
 * `before`.
 */
export function snapshotAfter(
  before: Snapshot | null,
  user: CurrentUser,
  { distribution, catalogue, viewer, mark }: CounterState,
): Snapshot {
  const known = before?.distribution;
  return {
    user,
    // If the distribution has not changed, the old object is kept, so that React does not render the page again.
    distribution: known && JSON.stringify(known) === JSON.stringify(distribution) ? known : distribution,
    viewer,
    catalogue: catalogue ?? before?.catalogue ?? { products: [], fees: [] },
    mark,
    readAt: Date.now(),
  };
}

export const NOTHING: CounterView = {
  snapshot: null,
  orders: new Map(),
  writes: [],
  othersUnsent: 0,
  connection: 'online',
  isClosed: false,
  error: null,
  lastStep: null,
  changeDue: null,
};
