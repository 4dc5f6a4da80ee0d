import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Closes what hangs over the page as soon as the focus is walked to something outside of it, which may lie underneath. `inside` are what
 * hangs there and what has opened it.
 */
export function useDismissOnFocusOut(isOpen: boolean, inside: readonly RefObject<Element | null>[], close: () => void): void {
  const look = useEffectEvent(({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || inside.some(({ current }) => current?.contains(target))) return;
    // Only once it has the focus it says whose way it came; a press elsewhere has its own say.
    setTimeout(() => target.matches(':focus-visible') && close());
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const follow = (event: FocusEvent): void => look(event);
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isOpen]);
}
