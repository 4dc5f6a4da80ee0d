import type { ClipboardEvent, KeyboardEvent } from 'react';

interface CommaKeys {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

/** The one way to write into a number field as if it were typed: there is no caret to be read, and undo goes on working. */
const insert = (text: string): unknown => document.execCommand('insertText', false, text);

/** A number field leaves out a comma without a word, and 2,50 becomes 250: a typed comma is a point, and a pasted one is read. */
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
