import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyScreen } from './navigation/lazy-screen.ts';
import { Tabs } from './ui/layout/tabs.tsx';

afterEach(() => vi.restoreAllMocks());

const Orders = (): ReactNode => <h1>Orders</h1>;

function show(fetched: () => Promise<ComponentType>): void {
  const Screen = lazyScreen(fetched);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  render(
    <ErrorBoundary frame={(notFetched) => <main aria-label="Frame">{notFetched}</main>}>
      <Suspense>
        <Screen />
      </Suspense>
    </ErrorBoundary>,
  );
}

test("when a screen's script fails to load, the error boundary says so below the page header; Try again or a restored connection loads the script again", async () => {
  let tries = 0;
  show(async () => {
    tries++;
    if (tries < 3) throw new TypeError('Failed to fetch dynamically imported module');
    return Orders;
  });
  const inFrame = within(await screen.findByRole('main', { name: 'Frame' }));
  expect(inFrame.getByRole('alert').textContent).toBe(
    'This could not be loadedFeastday could not be reached. Check your connection and try again.Try again',
  );
  expect(inFrame.getByRole('heading', { level: 1 }).textContent).toBe('This could not be loaded');
  fireEvent.click(inFrame.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(tries).toBe(2));
  await screen.findByRole('alert');
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeTruthy();
  expect(tries).toBe(3);
});

test('the error boundary tells the user that saved data is safe when a screen crashes', async () => {
  show(async () => () => {
    throw new Error('broken');
  });
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This page stopped workingNothing that you saved is lost. Load the page again to go on.Try again',
  );
});

test("the error boundary keeps the other tabs and the focus when a tab's script fails to load", async () => {
  const Fees = lazyScreen(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  function Both(): ReactNode {
    const [tab, setTab] = useState<'orders' | 'fees'>('orders');
    const labels = { orders: 'All orders', fees: 'Fees' };
    const contents = { orders: <Orders />, fees: <Fees /> };
    return <Tabs label="Distribution" labels={labels} contents={contents} value={tab} onValue={setTab} />;
  }
  render(<Both />);
  const fees = screen.getByRole('tab', { name: 'Fees' });
  fees.focus();
  fireEvent.mouseDown(fees);
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This could not be loaded/);
  expect(screen.queryByRole('heading')).toBeNull();
  expect(document.activeElement).toBe(fees);
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'All orders' }));
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeTruthy();
});
