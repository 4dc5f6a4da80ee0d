// How long a session lasts (contract §3).

/** Hours without a request after which the session of a distributor or agent ends. */
export const STAFF_IDLE_HOURS = 12;
