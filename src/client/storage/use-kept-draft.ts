import { useEffect } from 'react';
import type { Draft } from './draft.ts';

/**
 * Stores the unsaved changes of a form in its draft, or clears the draft if `unsaved` is null. While an earlier draft is offered to the user,
 * `unsaved` must also contain the offered changes: the new changes alone would overwrite the earlier draft before the user has decided.
 */
export function useKeptDraft<T>(draft: Draft<T>, unsaved: T | null): void {
  useEffect(() => {
    if (unsaved === null) draft.clear();
    else draft.keep(unsaved);
  }, [draft, unsaved]);
}
