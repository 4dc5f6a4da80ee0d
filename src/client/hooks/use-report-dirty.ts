import { useLayoutEffect } from 'react';

/** Tells the surrounding dialog synchronously whether closing must ask, because Escape may be the next key. */
export function useReportDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useLayoutEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
