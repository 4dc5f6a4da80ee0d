// Defines how long a session lasts (contract §3).

/** The session of a distributor or agent ends after this many hours without a request. */
export const STAFF_IDLE_HOURS = 12;
