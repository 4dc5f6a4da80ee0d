import { useEffect, useRef, type RefObject } from 'react';
import { openDialog } from './open-dialog.ts';
import { areShortcutsOn } from './shortcut-preference.ts';

const FIELDS = 'input, textarea, select, [contenteditable]';

/** The key `/` focuses the search field, or the search field of the open dialog. Inside a field the key types a slash. */
export function useSearchShortcut(given?: RefObject<HTMLInputElement | null>): RefObject<HTMLInputElement | null> {
  const own = useRef<HTMLInputElement>(null);
  const field = given ?? own;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !areShortcutsOn()) return;
      const isTyped = event.target instanceof Element && event.target.closest(FIELDS) !== null;
      const dialog = openDialog();
      if (isTyped || !field.current || (dialog !== null && !dialog.contains(field.current))) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [field]);
  return field;
}
