/** Milliseconds during which only the first screen loads; scripts of dialogs and toasts load later. */
export const IDLE_PRELOAD_DELAY = 2000;
