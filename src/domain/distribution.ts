// What the three flags of a distribution allow; closed ordering never opens again (spec §4, contract §4, §6).
import { CLOSED_FOR_GOOD, NOT_ACCEPTING_ACTUALS, NOT_OPEN_YET, NOT_PUBLISHED, ORDERING_IS_CLOSED } from './texts.ts';

export interface Flags {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly acceptActuals: boolean;
}

type Change = { readonly [flag in keyof Flags]?: boolean | undefined };

export const acceptsOrders = (distribution: Omit<Flags, 'acceptActuals'>): boolean => distribution.published && distribution.orderingOpen;

/** The reason why a customer cannot order now, or null. Closed ordering is named first, because it is final. */
export function orderingBlockedReason({
  published,
  orderingOpen,
  hasOpened = true,
}: Omit<Flags, 'acceptActuals'> & { readonly hasOpened?: boolean }): string | null {
  if (!orderingOpen) return ORDERING_IS_CLOSED;
  if (!published) return NOT_PUBLISHED;
  return hasOpened ? null : NOT_OPEN_YET;
}

/** The reason why the dashboard does not print an order, or null: an unpublished distribution still prints (spec §2, §4). */
export const printingBlockedReason = ({ orderingOpen }: Pick<Flags, 'orderingOpen'>): string | null =>
  orderingOpen ? null : ORDERING_IS_CLOSED;

/** The reason why weights cannot be entered now, or null. */
export const weighingBlockedReason = (distribution: Pick<Flags, 'acceptActuals'>): string | null =>
  distribution.acceptActuals ? null : NOT_ACCEPTING_ACTUALS;

/** The reason why a change of flags is refused, or null. */
export const flagProblem = (change: Change, current: Flags): string | null =>
  change.orderingOpen === true && !current.orderingOpen ? CLOSED_FOR_GOOD : null;

/** Whether the customer's dashboard lists the distribution as available (spec §2). */
export const isOnOffer = (distribution: Pick<Flags, 'published'>, hasOrder: boolean): boolean => distribution.published && !hasOrder;
