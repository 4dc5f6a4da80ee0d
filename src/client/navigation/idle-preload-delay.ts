/** How many milliseconds after the first screen the scripts of dialogs and toasts are loaded, so that they do not delay that screen. */
export const IDLE_PRELOAD_DELAY = 2000;
