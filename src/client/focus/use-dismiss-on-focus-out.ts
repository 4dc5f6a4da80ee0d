import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Closes a popup when a key press moves the focus out of it, because the popup may cover the focused element. `inside` contains the popup
 * and the button that opens it.
 */
export function useDismissOnFocusOut(isOpen: boolean, inside: readonly RefObject<Element | null>[], close: () => void): void {
  const look = useEffectEvent(({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || inside.some(({ current }) => current?.contains(target))) return;
    // Uses setTimeout because browsers set :focus-visible only after the focus event. After a mouse click :focus-visible is not set, and
    // another handler closes the popup.
    setTimeout(() => target.matches(':focus-visible') && close());
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const follow = (event: FocusEvent): void => look(event);
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isOpen]);
}
