/** If less than this many milliseconds pass between two keys, both may belong to the same code. */
export const KEY_MS = 300;
