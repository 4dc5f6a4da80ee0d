import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { IDLE_PRELOAD_DELAY } from '../navigation/idle-preload-delay.ts';
import { dismissToasts, toast } from './toast.ts';
import { LazyToaster } from './lazy-toaster.tsx';

const script = vi.hoisted(() => ({ fetched: 0, isThere: true }));
vi.mock('./toaster.tsx', async (original) => {
  const { Toaster } = await original<typeof import('./toaster.tsx')>();
  return {
    get Toaster() {
      script.fetched++;
      if (!script.isThere) throw new Error('not reached');
      return Toaster;
    },
  };
});

// Loads the script before the tests, because compiling it takes time that the tests do not measure.
beforeAll(async () => void (await import('./toaster.tsx')));
beforeEach(() => {
  // An earlier test file of this worker process may have left toasts.
  dismissToasts();
  vi.useFakeTimers();
  Object.assign(script, { fetched: 0, isThere: true });
  render(<LazyToaster />);
});
afterEach(() => {
  act(dismissToasts);
  cleanup();
  vi.useRealTimers();
});

const wait = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await vi.dynamicImportSettled();
  });
const region = (): Element | null => screen.queryByRole('region');

test('LazyToaster loads the script that shows toasts only after a delay, when no toast is queued', async () => {
  await wait(IDLE_PRELOAD_DELAY - 100);
  expect([script.fetched, region()]).toEqual([0, null]);
  await wait(200);
  expect(region()).not.toBeNull();
});

test('LazyToaster loads the toast script immediately when the first toast is queued, and keeps the script loaded after that toast is closed', async () => {
  act(() => void toast({ title: 'Fee added successfully' }));
  await wait(0);
  expect(screen.getByText('Fee added successfully')).toBeTruthy();
  act(dismissToasts);
  await wait(500);
  expect(region()).not.toBeNull();
});

test('LazyToaster removes an error toast when the user leaves the route on which the toast appeared, and keeps a success toast (contract §10)', async () => {
  act(() => void toast({ title: 'Ordering Closed', variant: 'destructive' }));
  act(() => navigate('/customer/order/3'));
  act(() => void toast({ title: 'Order placed successfully' }));
  await wait(0);
  expect([screen.queryByText('Ordering Closed'), screen.queryByText('Order placed successfully')]).toEqual([null, expect.anything()]);
  act(() => navigate('/customer'));
  expect(screen.getByText('Order placed successfully')).toBeTruthy();
  // A toast that is shown while the next screen is opening belongs to that screen's route.
  act(() => {
    navigate('/customer/order/4');
    toast({ title: 'Ordering is closed', variant: 'destructive' });
  });
  expect(screen.getByText('Ordering is closed')).toBeTruthy();
});

test('LazyToaster keeps the toasts in the queue when the script that shows them fails to load, and loads it again with the next toast or after three seconds', async () => {
  script.isThere = false;
  act(() => void toast({ title: 'Fee added successfully', variant: 'destructive' }));
  await wait(0);
  expect([script.fetched, region()]).toEqual([1, null]);
  act(() => void toast({ title: 'Fee removed' }));
  await wait(0);
  expect([script.fetched, region()]).toEqual([2, null]);
  script.isThere = true;
  await wait(3000);
  expect(screen.getByText('Fee added successfully')).toBeTruthy();
});
