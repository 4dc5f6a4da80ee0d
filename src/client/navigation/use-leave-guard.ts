import { useEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { askBeforeUnload } from './ask-before-unload.ts';
import { flushSearchParamWrites } from './search-param-state.ts';

type AskToLeave = (proceed: () => void) => void;

let ask: AskToLeave | null = null;

/**
 * The value of `<Router aroundNav>`. Before navigation inside the app to another path, a screen with unsaved typing asks the user for
 * confirmation.
 */
export const guardNavigation: AroundNavHandler = (go, to, options) => {
  // A typed filter is written to the URL with a delay. The filter that the user typed last is therefore written before the user leaves the
  // page, so that Back restores it.
  if (isElsewhere(to)) flushSearchParamWrites();
  const leave = (): void => {
    leaveWithoutConfirmation();
    go(to, options);
  };
  if (ask && isElsewhere(to)) ask(leave);
  else go(to, options);
};

const isElsewhere = (to: string): boolean => new URL(to, location.href).pathname !== location.pathname;

/**
 * Asks about unsaved typing before an action that leaves the screen only on success, such as Logout. The guard stays until the action
 * succeeds.
 */
export function confirmBeforeLeaving(leaving: () => void): void {
  if (ask) ask(leaving);
  else leaving();
}

/** Switches off the question about unsaved typing. A screen calls this function after a successful save, before it navigates. */
export function leaveWithoutConfirmation(): void {
  ask = null;
}

/**
 * While `isDirty` is true, Feastday asks for confirmation before navigation inside the app. Before the page is closed or reloaded, the
 * browser asks.
 */
export function useLeaveGuard(isDirty: boolean): { isAsking: boolean; leave: () => void; stay: () => void } {
  const [proceed, setProceed] = useState<{ go: () => void } | null>(null);

  useEffect(() => {
    if (!isDirty) return;
    const mine: AskToLeave = (go) => setProceed({ go });
    ask = mine;
    const askOnBack = (event: NavigateEvent): void => {
      if (ask !== mine || event.navigationType !== 'traverse' || !event.cancelable || !isElsewhere(event.destination.url)) return;
      event.preventDefault();
      const { key } = event.destination;
      mine(() => {
        leaveWithoutConfirmation();
        void navigation.traverseTo(key);
      });
    };
    const stopAsking = askBeforeUnload();
    // Without the Navigation API, Feastday cannot ask before Back leaves the page. The draft on the device then keeps the unsaved typing.
    const history = 'navigation' in window ? window.navigation : undefined;
    history?.addEventListener('navigate', askOnBack);
    return () => {
      if (ask === mine) ask = null;
      history?.removeEventListener('navigate', askOnBack);
      stopAsking();
    };
  }, [isDirty]);

  return {
    isAsking: proceed !== null,
    leave: () => {
      setProceed(null);
      proceed?.go();
    },
    stay: () => setProceed(null),
  };
}
