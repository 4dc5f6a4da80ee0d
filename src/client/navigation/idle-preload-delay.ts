/** Milliseconds for which the connection is the first screen's alone: what may be opened or said next is fetched later. */
export const IDLE_PRELOAD_DELAY = 2000;
