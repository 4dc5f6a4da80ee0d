import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { makeCall } from './fetch.ts';
import { dismissToasts } from '../toasts/toast.ts';
import { Toaster } from '../toasts/toaster.tsx';
import { CallContext, makeQueryClient, useRead, useRefreshOnRouteChange, useSave } from './use-calls.ts';

const getUser = endpoint({ method: 'GET', path: '/api/user', summary: 'User', roles: ['public'], reply: z.object({ email: z.string() }) });
const placeOrder = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Order',
  roles: ['customer'],
  idempotent: true,
  body: z.object({ distributionId: z.int() }),
});

const payOrder = endpoint({ method: 'POST', path: '/api/orders/:orderId/payments', summary: 'Pay', roles: ['distributor'] });

type Answer = () => Response | Promise<Response>;

function setupCalls(answer: Answer): {
  wrapper: (props: { children: ReactNode }) => ReactNode;
  sent: { path: string; key: string | null }[];
} {
  const sent: { path: string; key: string | null }[] = [];
  const call = makeCall({
    host: '',
    fetch: async (path, init) => {
      sent.push({ path, key: new Headers(init.headers).get('Idempotency-Key') });
      return answer();
    },
  });
  const client = makeQueryClient();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
    <CallContext value={call}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </CallContext>
  );
  return { wrapper, sent };
}

/** A response of the server, which a proxy could not have sent. */
const fromServer = (body: string): Response => new Response(body, { headers: { 'x-request-id': 'id-1' } });
const ok: Answer = () => fromServer('{"email":"rivka@mail.test"}');

afterEach(() => {
  dismissToasts();
  cleanup();
});

test('useRead treats a 401 response to the request for the current user as "nobody is signed in", not as an error (spec §4, §7)', async () => {
  const { wrapper } = setupCalls(() => new Response('Please sign in', { status: 401 }));
  const { result } = renderHook(() => useRead(getUser, undefined, { nullOn: 401 }), { wrapper });
  await waitFor(() => expect(result.current.data).toBeNull());
  expect(result.current.error).toBeNull();
});

test('useRefreshOnRouteChange repeats every read once when the route changes, and not when only the query string changes (spec §2)', async () => {
  const { wrapper, sent } = setupCalls(ok);
  const hooks = renderHook(
    () => {
      useRefreshOnRouteChange();
      return useRead(getUser);
    },
    { wrapper },
  );
  await waitFor(() => expect(hooks.result.current.isSuccess).toBe(true));
  act(() => navigate('/customer?tab=fees'));
  await waitFor(() => expect(sent).toHaveLength(2));
  act(() => navigate('/customer?tab=report'));
  await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
  expect(sent).toHaveLength(2);
});

test('useRead does not repeat a read on window focus, on reconnect or after a failure (spec §7)', async () => {
  const { wrapper, sent } = setupCalls(() => new Response('Not now', { status: 503 }));
  const { result } = renderHook(() => useRead(getUser), { wrapper });
  await waitFor(() => expect(result.current.isError).toBe(true));
  act(() => {
    for (const name of ['visibilitychange', 'focus']) window.dispatchEvent(new Event(name));
    for (const name of ['offline', 'online']) window.dispatchEvent(new Event(name));
  });
  // By default TanStack Query would retry after one second. The test waits longer than that, to show that no retry happens.
  await act(() => new Promise((resolve) => setTimeout(resolve, 1200)));
  expect(sent).toHaveLength(1);
});

test('useRead treats its data as stale at once, so that the next screen requests the data again (spec §7)', async () => {
  const { wrapper, sent } = setupCalls(ok);
  const { result, unmount } = renderHook(() => useRead(getUser), { wrapper });
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  unmount();
  renderHook(() => useRead(getUser), { wrapper });
  await waitFor(() => expect(sent).toHaveLength(2));
});

test('useSave repeats every read after a successful save', async () => {
  const { wrapper, sent } = setupCalls(ok);
  const { result } = renderHook(() => ({ read: useRead(getUser), order: useSave(placeOrder) }), { wrapper });
  await waitFor(() => expect(result.current.read.isSuccess).toBe(true));
  await act(async () => void (await result.current.order.save({ body: { distributionId: 3 } })));
  await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/api/user', '/api/orders', '/api/user']));
});

test('after a save, useSave leaves the screen; if the user has already left it, useSave repeats the reads of the other screen instead', async () => {
  const reply = Promise.withResolvers<string>();
  const late: Answer = async () => fromServer(await reply.promise);
  const answers = [late, late];
  const { wrapper, sent } = setupCalls(() => (answers.shift() ?? ok)());
  const called: string[] = [];
  const options = { refresh: false, onSaved: () => called.push('saved'), leave: () => called.push('left') };
  const stays = renderHook(() => useSave(placeOrder, options), { wrapper });
  const leaves = renderHook(() => useSave(payOrder, options), { wrapper });
  const saves = [stays.result.current.save({ body: { distributionId: 3 } }), leaves.result.current.save({ params: { orderId: 5 } })];
  leaves.unmount();
  const { result } = renderHook(() => useRead(getUser), { wrapper });
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  await act(async () => {
    reply.resolve('{}');
    await Promise.all(saves);
  });
  expect(called).toEqual(['saved', 'left', 'saved']);
  await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/api/orders', '/api/orders/5/payments', '/api/user', '/api/user']));
});

test('useSave reuses the idempotency key for a repeated save after a lost response, and makes a new key after a response or for another body', async () => {
  const answers: Answer[] = [() => Promise.reject(new TypeError('fetch failed')), ok, ok, ok];
  const { wrapper, sent } = setupCalls(() => (answers.shift() ?? ok)());
  const { result } = renderHook(() => useSave(placeOrder), { wrapper });
  for (const distributionId of [3, 3, 3, 4]) {
    await act(async () => void (await result.current.save({ body: { distributionId } })));
  }
  const [first, retry, again, other] = sent.map(({ key }) => key);
  expect(first).toMatch(/^[0-9a-f-]{32,36}$/);
  expect(retry).toBe(first);
  expect(new Set([first, again, other]).size).toBe(3);
});

test.each([
  { status: 401, by: 'the server', isSame: true },
  { status: 403, by: 'the server', isSame: true },
  { status: 429, by: 'the server', isSame: true },
  { status: 409, by: 'the server', isSame: false },
  { status: 403, by: 'a proxy', isSame: true },
])(
  'after a lost response and a refusal with status $status by $by, useSave repeats the save with the same idempotency key: $isSame (contract §2)',
  async ({ status, by, isSame }) => {
    const headers: Record<string, string> = by === 'the server' ? { 'x-request-id': 'id-1' } : {};
    const answers: Answer[] = [() => Promise.reject(new TypeError('fetch failed')), () => new Response('No', { status, headers })];
    const { wrapper, sent } = setupCalls(() => (answers.shift() ?? ok)());
    const { result } = renderHook(() => useSave(placeOrder), { wrapper });
    for (let attempt = 0; attempt < 3; attempt++) await act(async () => void (await result.current.save({ body: { distributionId: 3 } })));
    expect(sent[2]?.key === sent[0]?.key).toBe(isSame);
  },
);

test('useSave sends a repeated request with a new idempotency key once the amount that the user saw has changed, even if the amount then changes back', async () => {
  const lost: Answer = () => Promise.reject(new TypeError('fetch failed'));
  const answers: Answer[] = [lost, lost, lost];
  const { wrapper, sent } = setupCalls(() => (answers.shift() ?? ok)());
  const { result, rerender } = renderHook(({ basis }) => useSave(placeOrder, { basis }), { wrapper, initialProps: { basis: 2000 } });
  const save = () => act(async () => void (await result.current.save({ body: { distributionId: 3 } })));
  await save();
  await save();
  rerender({ basis: 1000 });
  await save();
  rerender({ basis: 2000 });
  await save();
  const [first, retry, other, back] = sent.map(({ key }) => key);
  expect(retry).toBe(first);
  expect(new Set([first, other, back]).size).toBe(3);
});

test('useSave repeats the reads after a failed save only if the caller requests that', async () => {
  let isUp = true;
  const { wrapper, sent } = setupCalls(() => (isUp ? ok() : Promise.reject(new TypeError('fetch failed'))));
  const { result } = renderHook(
    () => ({ read: useRead(getUser), plain: useSave(placeOrder), always: useSave(placeOrder, { refresh: 'always' }) }),
    { wrapper },
  );
  await waitFor(() => expect(result.current.read.isSuccess).toBe(true));
  isUp = false;
  await act(async () => void (await result.current.plain.save({ body: { distributionId: 3 } })));
  await act(async () => void (await result.current.always.save({ body: { distributionId: 4 } })));
  await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/api/user', '/api/orders', '/api/orders', '/api/user']));
});

test('useSave reports a refused save to the caller, and does not throw', async () => {
  const { wrapper } = setupCalls(() => new Response('Ordering is closed', { status: 409 }));
  const errors: string[] = [];
  const { result } = renderHook(() => useSave(placeOrder, { onError: (error) => errors.push(error.message) }), { wrapper });
  let saved: unknown;
  await act(async () => {
    saved = await result.current.save({ body: { distributionId: 3 } });
  });
  expect(errors).toEqual(['409: Ordering is closed']);
  expect(saved).toMatchObject({ ok: false });
  expect(result.current.isSaving).toBe(false);
});

test('useSave shows a refused save in a destructive toast titled Error with the status and the sentence (spec §8)', async () => {
  const { wrapper } = setupCalls(() => new Response('This order was changed elsewhere.', { status: 409 }));
  render(<Toaster />);
  const { result } = renderHook(() => useSave(placeOrder), { wrapper });
  await act(async () => void (await result.current.save({ body: { distributionId: 3 } })));
  const lines = [...document.querySelectorAll('.toast-bad .grow > *')].map((line) => line.textContent);
  expect(lines).toEqual(['Error', '409: This order was changed elsewhere.']);
});

test('after an action succeeds, useSave removes the error toast of that action and no other error (contract §10)', async () => {
  const answers = [
    new Response('The server is busy.', { status: 503 }),
    new Response('The server is busy.', { status: 503 }),
    fromServer('{}'),
  ];
  const { wrapper } = setupCalls(() => answers.shift() ?? fromServer('{}'));
  render(<Toaster />);
  const { result } = renderHook(() => useSave(payOrder), { wrapper });
  const pay = (orderId: number) => act(async () => void (await result.current.save({ params: { orderId } })));
  const errors = (): number => document.querySelectorAll('.toast-bad').length;
  await pay(5);
  await pay(5);
  await pay(6);
  expect(errors()).toBe(1);
  await pay(5);
  expect(errors()).toBe(0);
});

test('useSave offers to sign in again when a save fails because the session has ended, but not when a password is wrong', async () => {
  const refusals = ['Invalid email or password', 'Please sign in.'];
  const { wrapper } = setupCalls(() => new Response(refusals.shift(), { status: 401 }));
  render(<Toaster />);
  const { result } = renderHook(() => useSave(placeOrder), { wrapper });
  const save = () => act(async () => void (await result.current.save({ body: { distributionId: 3 } })));
  await save();
  expect(document.querySelector('.toast-action')).toBeNull();
  dismissToasts();
  await save();
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  fireEvent.click(screen.getByRole('button', { name: 'Sign in in a new tab' }));
  expect(open).toHaveBeenCalledWith('/auth', '_blank', 'noopener');
});
