/** Milliseconds in which the first screen has the connection to itself; scripts of dialogs and toasts load later. */
export const IDLE_PRELOAD_DELAY = 2000;
