/** During this many milliseconds only the first screen loads. The scripts of dialogs and toasts load afterwards. */
export const IDLE_PRELOAD_DELAY = 2000;
