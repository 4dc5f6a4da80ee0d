// Defines what users may do with a distribution, depending on its three flags and its opening and closing times. Ordering that is closed
// never opens again (spec §4, contract §4, §6, §11).
import {
  CLOSED_FOR_GOOD,
  CLOSING_IS_FINAL,
  CLOSING_IS_PAST,
  CLOSING_NOT_AFTER_OPENING,
  NOT_ACCEPTING_ACTUALS,
  NOT_PUBLISHED,
  ORDERING_IS_CLOSED,
  NOT_OPEN_YET,
  REHEARSAL_STAYS,
} from './texts.ts';

export interface Flags {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly acceptActuals: boolean;
}

type Change = { readonly [flag in keyof Flags]?: boolean | undefined };

/** The times at which ordering opens and closes, as ISO timestamps. Null means that no time is set. */
export interface Clock {
  readonly opensAt: string | null;
  readonly closesAt: string | null;
}

export type OrderingTerms = Omit<Flags, 'acceptActuals'> & Clock;

const isBefore = (now: string, instant: string): boolean => Date.parse(now) < Date.parse(instant);

/**
 * Whether ordering is open at the time `now`. From the time `closesAt`, ordering is closed, even if the stored flag still says open
 * (contract §11).
 */
export const isOrderingOpen = ({ orderingOpen, closesAt }: Pick<OrderingTerms, 'orderingOpen' | 'closesAt'>, now: string): boolean =>
  orderingOpen && (closesAt === null || isBefore(now, closesAt));

export const opensLater = ({ opensAt }: Pick<Clock, 'opensAt'>, now: string): boolean => opensAt !== null && isBefore(now, opensAt);

/**
 * Returns the reason why a customer cannot order at the time `now`, or null. Closed ordering is named before any other reason, because
 * closing is final. The server takes `now` from the database's clock, so that all of its processes use the same time.
 */
export function orderingBlockedReason(distribution: OrderingTerms, now: string): string | null {
  if (!isOrderingOpen(distribution, now)) return ORDERING_IS_CLOSED;
  if (!distribution.published) return NOT_PUBLISHED;
  return opensLater(distribution, now) ? NOT_OPEN_YET : null;
}

/**
 * Like `orderingBlockedReason`, but takes from the flag that the server sends whether ordering is closed, because the device's clock may be
 * ahead.
 */
export const blockedReasonOnDevice = (distribution: Omit<OrderingTerms, 'closesAt'>, now: string): string | null =>
  orderingBlockedReason({ ...distribution, closesAt: null }, now);

/** Returns the reason why the entered opening and closing times are refused, or null. */
export function clockProblem(
  change: { readonly [time in keyof Clock]?: string | null | undefined },
  current: Pick<OrderingTerms, 'orderingOpen'> & Clock,
  now: string,
): { readonly status: 400 | 409; readonly text: string } | null {
  const opensAt = change.opensAt === undefined ? current.opensAt : change.opensAt;
  const closesAt = change.closesAt === undefined ? current.closesAt : change.closesAt;
  const isMoved = closesAt !== current.closesAt;
  if (isMoved && !isOrderingOpen(current, now)) return { status: 409, text: CLOSING_IS_FINAL };
  if (isMoved && closesAt !== null && !isBefore(now, closesAt)) return { status: 400, text: CLOSING_IS_PAST };
  const isInOrder = opensAt === null || closesAt === null || isBefore(opensAt, closesAt);
  return isInOrder ? null : { status: 400, text: CLOSING_NOT_AFTER_OPENING };
}

/**
 * Returns the reason why a customer cannot print an order from the dashboard, or null. Orders of an unpublished distribution can still be
 * printed (spec §2, §4).
 */
export const printingBlockedReason = ({ orderingOpen }: Pick<Flags, 'orderingOpen'>): string | null =>
  orderingOpen ? null : ORDERING_IS_CLOSED;

/** Returns the reason why weights cannot be entered now, or null. */
export const weighingBlockedReason = (distribution: Pick<Flags, 'acceptActuals'>): string | null =>
  distribution.acceptActuals ? null : NOT_ACCEPTING_ACTUALS;

export const flagProblem = (change: Change, current: Flags): string | null =>
  change.orderingOpen === true && !current.orderingOpen ? CLOSED_FOR_GOOD : null;

/** Returns the reason why a change of a rehearsal is refused, or null (decision 26). Other distributions are not affected. */
export const rehearsalProblem = (change: object, { rehearsal }: { readonly rehearsal: boolean }): string | null =>
  rehearsal && Object.keys(change).some((name) => name !== 'acceptActuals') ? REHEARSAL_STAYS : null;

/** Whether the customer's dashboard lists the distribution among the available distributions (spec §2). */
export const isOnOffer = (distribution: Pick<Flags, 'published'>, hasOrder: boolean): boolean => distribution.published && !hasOrder;
