import { useEffect, useEffectEvent } from 'react';

type Close = () => void;

/** The open dialogs; the last one is the topmost. */
const open: { readonly close: Close }[] = [];

function closeInstead(event: NavigateEvent): void {
  const top = open.at(-1);
  const here = window.navigation.currentEntry?.index ?? 0;
  if (!top || event.navigationType !== 'traverse' || !event.cancelable || event.destination.index >= here) return;
  event.preventDefault();
  // Stops the event before other handlers see it, because only the dialog closes and the page stays. Another handler would ask the user
  // about unsaved typing on that page.
  event.stopImmediatePropagation();
  top.close();
}

/** While `isOpen` is true, the browser's Back button closes this dialog as its close button does, and the page stays. */
export function useCloseOnBack(isOpen: boolean, close: Close): void {
  const closeLatest = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen || !('navigation' in window)) return;
    const mine = { close: () => closeLatest() };
    open.push(mine);
    window.navigation.addEventListener('navigate', closeInstead, { capture: true });
    return () => {
      open.splice(open.indexOf(mine), 1);
      if (open.length === 0) window.navigation.removeEventListener('navigate', closeInstead, { capture: true });
    };
  }, [isOpen]);
}
