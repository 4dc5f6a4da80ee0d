/** The scripts of dialogs and toasts are loaded this many milliseconds after the first screen, so that they do not delay it. */
export const IDLE_PRELOAD_DELAY = 2000;
