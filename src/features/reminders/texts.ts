// These texts say why a reminder was not sent (contract §11).
export const HAS_ORDERED = 'The customer has ordered meanwhile.';
export const CANNOT_ORDER = 'Ordering was not open any more.';
export const MANY_REMINDERS = 'This person has got many reminders within the day, so this one was not sent.';
