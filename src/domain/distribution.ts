// What the three flags of a distribution allow, and that closing is one-way (spec §4, contract §4, §6).
import { CLOSED_FOR_GOOD, NOT_ACCEPTING_ACTUALS, NOT_PUBLISHED, ORDERING_IS_CLOSED } from './texts.ts';

export interface Flags {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly acceptActuals: boolean;
}

type Change = { readonly [flag in keyof Flags]?: boolean | undefined };

export const acceptsOrders = (distribution: Omit<Flags, 'acceptActuals'>): boolean => distribution.published && distribution.orderingOpen;

/** Why a customer cannot order now, or null. Closing is final, so it is the reason also where the distribution is not published. */
export function orderingBlockedReason({ published, orderingOpen }: Omit<Flags, 'acceptActuals'>): string | null {
  if (!orderingOpen) return ORDERING_IS_CLOSED;
  return published ? null : NOT_PUBLISHED;
}

/** Why the dashboard does not print an order, or null: a distribution that is not published still prints (spec §2, §4). */
export const printingBlockedReason = ({ orderingOpen }: Pick<Flags, 'orderingOpen'>): string | null =>
  orderingOpen ? null : ORDERING_IS_CLOSED;

/** Why actual quantities cannot be entered now, or null. */
export const weighingBlockedReason = (distribution: Pick<Flags, 'acceptActuals'>): string | null =>
  distribution.acceptActuals ? null : NOT_ACCEPTING_ACTUALS;

/** Why a change of flags is refused, or null. */
export const flagProblem = (change: Change, current: Flags): string | null =>
  change.orderingOpen === true && !current.orderingOpen ? CLOSED_FOR_GOOD : null;

/** Whether it stands among a customer's available distributions (spec §2, customer dashboard). */
export const isOnOffer = (distribution: Pick<Flags, 'published'>, hasOrder: boolean): boolean => distribution.published && !hasOrder;
