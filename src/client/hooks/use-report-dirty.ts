import { useLayoutEffect } from 'react';

/**
 * Reports unsaved typing to the surrounding dialog synchronously, because the next key may be Escape, and the dialog must then ask before
 * it closes.
 */
export function useReportDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useLayoutEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
