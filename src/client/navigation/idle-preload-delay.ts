/** Milliseconds for which the connection is the first screen's alone: what may be opened or said next is fetched later. */
export const FIRST_SCREENS_TIME = 2000;
