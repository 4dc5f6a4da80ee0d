// This file contains the UI texts of pick-up times (contract §16).

export const SLOT_NAMES = { label: 'Label', startsAt: 'Start', capacity: 'Capacity' };
export const PICK_UP_TIMES = 'Pick-up times';
export const PICK_UP_TIME = 'Pick-up time';
export const SLOTS_NOT_LOADED = 'The pick-up times could not be loaded';
export const SLOTS_LOADING = 'The pick-up times are still loading';
export const NEEDS_SLOT = 'Your order needs a pick-up time. Choose one, then save the order.';
export const NO_SLOTS = 'Customers come when they like. With pick-up times each order chooses one.';
export const ADD_SLOT = 'Add pick-up time';
export const ADD = 'Add';
export const SLOT_ADDED = 'Pick-up time added';
export const CHANGE_SLOT = 'Change pick-up time';
export const SLOT_CHANGED = 'Pick-up time changed';
export const changeText = (label: string): string => `Change ${label}`;
/** Shown above the form when orders have the pick-up time that is being changed. */
export const keptText = (taken: number): string =>
  taken === 1
    ? '1 order has this pick-up time and keeps it. The family gets no e-mail about the change.'
    : `${taken} orders have this pick-up time and keep it. The families get no e-mail about the change.`;
export const capacityBelowText = (taken: number): string =>
  `${takenAlready(taken)}. Nobody loses the pick-up time, but customers cannot choose it.`;
const takenAlready = (taken: number): string => `${taken} ${taken === 1 ? 'order has' : 'orders have'} it already`;
/** Shown when the typed day is neither the day of the distribution nor that of another pick-up time. */
export const otherDayText = (day: string, date: string): string =>
  `Is the date right? The distribution is on ${date}, and this pick-up time is on ${day}.`;
export const SLOT_DELETED = 'Pick-up time deleted';
export const deleteText = (label: string): string => `Delete ${label}`;
export const takenText = (taken: number, capacity: number): string => `${taken} of ${capacity} taken`;
export const CAPACITY_MEANS = 'How many orders customers can place for it.';
export const CAPACITY_INVALID = 'Type a whole number, 1 or more.';
export const LABEL_MEANS = 'As families read it, such as “Sunday morning”.';
export const FULL = 'full';
export const NO_SLOT_CHOSEN = 'No pick-up time';
export const CAPACITY_BELOW_ONE = 'Capacity must be at least 1';
export const CAPACITY_TOO_LARGE = 'Capacity is too large';
export const tooManySlots = (most: number): string => `A distribution has at most ${most} pick-up times.`;
export const SLOT_IS_TAKEN = 'Orders have this pick-up time, so it cannot be deleted.';
