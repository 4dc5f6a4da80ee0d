// Renders a screen of the real application for a signed-in user. A test that uses this file runs in the environment
// test/environments/dom-on-node.ts.
import { QueryClientProvider } from '@tanstack/react-query';
import { act, createEvent, fireEvent, render } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { Route } from 'wouter';
import type { Call } from '../src/client/api/fetch.ts';
import { dismissToasts } from '../src/client/toasts/toast.ts';
import { Toaster } from '../src/client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../src/client/api/use-calls.ts';
import { UNREAD_MONEY_MS, UNREAD_MS, UNREAD_VALUE_MS } from '../src/client/hooks/use-unread.ts';
import { AuthProvider, useAuth } from '../src/features/auth/auth-provider.tsx';

/** Removes what earlier tests have left in the browser storage and in the list of toasts. Also simulates a wide screen. */
export function freshDevice(): void {
  localStorage.clear();
  dismissToasts();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  HTMLDialogElement.prototype.close = () => {};
  HTMLDialogElement.prototype.showModal = () => {};
}

/** Until `readScreen` is called, nobody can have read what appears after this call, however slow the machine is. */
export function readNothing(): void {
  const now = performance.now();
  vi.useFakeTimers({ toFake: ['performance'] });
  // A fake clock begins with 0. What has happened before this call would be in the future.
  vi.advanceTimersByTime(now);
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits until somebody can have read a question or an amount that has just appeared. A key that is pressed before confirms nothing. */
export async function readScreen(readingTime = UNREAD_MS): Promise<void> {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(readingTime + 50);
  await act(async () => await new Promise((done) => setTimeout(done, readingTime + 50)));
}

/** Waits until somebody can have read what others have saved meanwhile. A form that shows it is not submitted before. */
export const readOthersChange = (): Promise<void> => readScreen(UNREAD_VALUE_MS);

/** Waits until the counter no longer ignores a second press of *Pay only*, because somebody can have read by then what is still due. */
export const readRest = (): Promise<void> => readScreen(UNREAD_MONEY_MS);

/**
 * Presses a key now, after `readNothing`, while the page is so busy that it handles the key only a second later. Returns whether a browser
 * does what the key normally does.
 */
export function pressOnBusyPage(element: HTMLElement, key: string): boolean {
  const event = createEvent.keyDown(element, { key });
  Object.defineProperty(event, 'timeStamp', { value: performance.now() });
  vi.advanceTimersByTime(1000);
  return fireEvent(element, event);
}

function SignedIn({ children }: { children: ReactNode }): ReactNode {
  return useAuth().user === null ? null : children;
}

export function showScreen(call: Call, path: string, screen: ComponentType, client = makeQueryClient()): void {
  render(
    <QueryClientProvider client={client}>
      <CallContext value={call}>
        <AuthProvider>
          <SignedIn>
            <Route path={path} component={screen} />
          </SignedIn>
        </AuthProvider>
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
}
