import type { ClipboardEvent, KeyboardEvent } from 'react';

interface CommaKeys {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

/**
 * Inserts text at the caret. Number fields do not reveal the position of the caret, so this deprecated call is the only way. It also keeps
 * the browser's undo working.
 */
const insert = (text: string): unknown => document.execCommand('insertText', false, text);

/**
 * Lets users type a comma as the decimal separator. A number field alone would silently drop the comma, and 2,50 would become 250. A typed
 * comma becomes a point. `read` parses a pasted text that contains a comma, or returns null if the text is not an amount.
 */
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
