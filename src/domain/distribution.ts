// What the three flags of a distribution allow, and that closing is one-way (spec §4, contract §4, §6).

export interface Flags {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly acceptActuals: boolean;
}

type Change = { readonly [flag in keyof Flags]?: boolean | undefined };

export const acceptsOrders = (distribution: Omit<Flags, 'acceptActuals'>): boolean => distribution.published && distribution.orderingOpen;

/** Why a customer cannot order now, or null. */
export const whyNotOrder = (distribution: Omit<Flags, 'acceptActuals'>): string | null =>
  acceptsOrders(distribution) ? null : 'Ordering is closed';

/** Why actual quantities cannot be entered now, or null. */
export const whyNotWeigh = (distribution: Pick<Flags, 'acceptActuals'>): string | null =>
  distribution.acceptActuals ? null : 'This distribution is not accepting actual quantities.';

/** Why a change of flags is refused, or null. */
export const flagProblem = (change: Change, current: Flags): string | null =>
  change.orderingOpen === true && !current.orderingOpen ? 'Ordering is closed and cannot be opened again.' : null;

/** Whether it stands among a customer's available distributions (spec §2, customer dashboard). */
export const isOnOffer = (distribution: Pick<Flags, 'published'>, hasOrder: boolean): boolean => distribution.published && !hasOrder;
