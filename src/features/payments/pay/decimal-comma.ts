import type { ClipboardEvent, KeyboardEvent } from 'react';

interface CommaKeys {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

/** execCommand is the only way to insert text into a number field: the field does not report its caret, and undo keeps working. */
const insert = (text: string): unknown => document.execCommand('insertText', false, text);

/** A number field silently drops a comma, and 2,50 becomes 250: a typed comma becomes a point, and a pasted amount is parsed. */
export const decimalComma = (read: (text: string) => string | null): CommaKeys => ({
  onKeyDown: (event) => {
    if (event.key !== ',' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    insert('.');
  },
  onPaste: (event) => {
    const text = event.clipboardData.getData('text');
    const value = text.includes(',') ? read(text) : null;
    if (value === null) return;
    event.preventDefault();
    insert(value);
  },
});
