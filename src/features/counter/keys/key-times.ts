/** If less than this many milliseconds pass between two keys, both may belong to the same code. */
export const KEY_MS = 300;
/** A key press within this many milliseconds is ignored after a button has got the focus or the amount has changed: nobody can have read it. */
export const UNREAD_MS = 300;
