// The UI texts of pick-up times (contract §16).

export const SLOT_NAMES = { label: 'Label', startsAt: 'Start', capacity: 'Capacity' };
export const CAPACITY_BELOW_ONE = 'Capacity must be at least 1';
export const CAPACITY_TOO_LARGE = 'Capacity is too large';
export const tooManySlots = (most: number): string => `A distribution has at most ${most} pick-up times.`;
export const SLOT_IS_TAKEN = 'Orders have this pick-up time, so it cannot be deleted.';
