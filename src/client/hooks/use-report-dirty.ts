import { useLayoutEffect } from 'react';

/** Tells the dialog round a form whether closing has to ask: at once, for Escape may be the very next key. */
export function useReportDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useLayoutEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
