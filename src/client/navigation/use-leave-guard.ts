import { useEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { flushSearchParamWrites } from './search-param-state.ts';

type AskToLeave = (proceed: () => void) => void;

let ask: AskToLeave | null = null;

/** For `<Router aroundNav>`: before in-app navigation to another path, a screen with unsaved typing asks for confirmation. */
export const guardNavigation: AroundNavHandler = (go, to, options) => {
  // Writes a pending filter into the URL of the current page before leaving it.
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

/** Must be called before a screen navigates after its own save, when nothing is unsaved. */
export function leaveWithoutConfirmation(): void {
  ask = null;
}

export interface LeaveGuard {
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
}

/** While `isDirty`, Feastday asks before navigation inside the app, and the browser asks before closing or reloading. */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const [proceed, setProceed] = useState<{ go: () => void } | null>(null);

  useEffect(() => {
    if (!isDirty) return;
    const mine: AskToLeave = (go) => setProceed({ go });
    ask = mine;
    const stopClosing = (event: BeforeUnloadEvent): void => event.preventDefault();
    const askOnBack = (event: NavigateEvent): void => {
      if (ask !== mine || event.navigationType !== 'traverse' || !event.cancelable || !isElsewhere(event.destination.url)) return;
      event.preventDefault();
      const { key } = event.destination;
      mine(() => {
        leaveWithoutConfirmation();
        void navigation.traverseTo(key);
      });
    };
    addEventListener('beforeunload', stopClosing);
    // Where the browser has no Navigation API, it cannot ask on Back. The draft on the device keeps the typing in that case.
    const history = 'navigation' in window ? window.navigation : undefined;
    history?.addEventListener('navigate', askOnBack);
    return () => {
      if (ask === mine) ask = null;
      history?.removeEventListener('navigate', askOnBack);
      removeEventListener('beforeunload', stopClosing);
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
