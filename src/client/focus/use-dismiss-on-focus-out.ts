import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Closes a popup when the keyboard moves the focus outside of it, because the popup may cover the focused element. `inside` lists the popup
 * and its opener.
 */
export function useDismissOnFocusOut(isOpen: boolean, inside: readonly RefObject<Element | null>[], close: () => void): void {
  const look = useEffectEvent(({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || inside.some(({ current }) => current?.contains(target))) return;
    // Uses setTimeout because :focus-visible is known only after the focus event. A click elsewhere is handled by its own handler.
    setTimeout(() => target.matches(':focus-visible') && close());
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const follow = (event: FocusEvent): void => look(event);
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isOpen]);
}
