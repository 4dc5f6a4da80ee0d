import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { draftOf } from '../../client/storage/draft.ts';
import { makeCall } from '../../client/api/fetch.ts';
import { deviceOwner, removeDeviceOwner, setDeviceOwner } from '../../client/storage/device-owner.ts';
import { dismissToasts } from '../../client/toasts/toast.ts';
import { Toaster } from '../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../../client/api/use-calls.ts';
import { confirmBeforeLeaving, useLeaveGuard } from '../../client/navigation/use-leave-guard.ts';
import { allowCounterDb, closeCounterDb, counterDb, forbidCounterDb, removeCounterDb } from '../counter/device/counter-db.ts';
import type { CounterOrder } from '../counter/contract.ts';
import { AuthProvider, useAuth } from './auth-provider.tsx';

afterEach(() => act(dismissToasts));

function Lost(): ReactNode {
  return useAuth().user?.email;
}

test('useAuth throws the specified error when it is used outside of its provider (spec §8)', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => render(<Lost />)).toThrow('useAuth must be used within an AuthProvider');
  complaints.mockRestore();
});

const RIVKA = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };

/** The server, unlike a proxy, sends its request id with each response. */
const endedByServer = (): Response => new Response(null, { status: 204, headers: { 'x-request-id': '1' } });

/** Renders the AuthProvider around a screen with unsaved typing. The simulated server sends the given responses. */
function provided(answers: Readonly<Record<string, () => Response | Promise<Response>>>) {
  const sent: string[] = [];
  const call = makeCall({
    host: '',
    fetch: async (path, { method }) => {
      sent.push(`${method} ${path}`);
      return answers[path]?.() ?? new Response('', { status: 404 });
    },
  });
  const { result } = renderHook(() => ({ ...useAuth(), guard: useLeaveGuard(true) }), {
    wrapper: ({ children }: { children: ReactNode }): ReactNode => (
      <CallContext value={call}>
        <QueryClientProvider client={makeQueryClient()}>
          <AuthProvider>{children}</AuthProvider>
          <Toaster />
        </QueryClientProvider>
      </CallContext>
    ),
  });
  return { result, sent };
}
const said = (): string[] => [...document.querySelectorAll('.toast .grow > *')].map((line) => line.textContent ?? '');

test('the auth provider sets the current user on sign-in and clears it on sign-out (spec §4, §7)', async () => {
  const { result, sent } = provided({
    '/api/user': () => new Response('Please sign in.', { status: 401 }),
    '/api/login': () => Response.json(RIVKA),
    '/api/logout': endedByServer,
  });
  await waitFor(() => expect([result.current.isLoading, result.current.user]).toEqual([false, null]));
  await act(async () => void (await result.current.login({ email: RIVKA.email, password: 'Three-Sheep-42' })));
  expect(result.current.user).toEqual(RIVKA);
  await act(async () => await result.current.logout('not asked'));
  expect(result.current.user).toBeNull();
  expect(sent).toEqual(['GET /api/user', 'POST /api/login', 'POST /api/logout']);
});

test('the auth provider shows a failed logout in a destructive toast and keeps the user (spec §8)', async () => {
  const { result } = provided({
    '/api/user': () => Response.json(RIVKA),
    '/api/logout': () => new Response('The database cannot be reached just now.', { status: 503 }),
  });
  await waitFor(() => expect(result.current.user).toEqual(RIVKA));
  await act(async () => await result.current.logout('not asked'));
  expect(said()).toEqual(['Logout failed', '503: The database cannot be reached just now.']);
  expect(document.querySelector('.toast-bad')).not.toBeNull();
  expect(result.current.user).toEqual(RIVKA);
});

test('the auth provider keeps the user when a proxy replies to a logout that it has succeeded (reliability abuse)', async () => {
  const { result } = provided({
    '/api/user': () => Response.json(RIVKA),
    '/api/logout': () => new Response(null, { status: 204 }),
  });
  await waitFor(() => expect(result.current.user).toEqual(RIVKA));
  await act(async () => await result.current.logout('not asked'));
  expect(said()[0]).toBe('Logout failed');
  expect(result.current.user).toEqual(RIVKA);
});

async function logOut(screen: ReturnType<typeof provided>['result']): Promise<void> {
  act(() => confirmBeforeLeaving(() => void screen.current.logout('not asked')));
  expect(screen.current.guard.isAsking).toBe(true);
  await act(async () => screen.current.guard.leave());
}

test.each([
  ['a server that refuses', () => new Response('The database cannot be reached just now.', { status: 503 })],
  ['no network', () => Promise.reject(new TypeError('fetch failed'))],
])(
  'the auth provider keeps the drafts, and still asks before the page is left, when a logout fails because of %s (contract §10)',
  async (_, answer) => {
    const { result } = provided({ '/api/user': () => Response.json(RIVKA), '/api/logout': answer });
    await waitFor(() => expect(result.current.user).toEqual(RIVKA));
    const draft = draftOf<string>(RIVKA.id, 'order-12');
    draft.keep('three');
    await logOut(result);
    await waitFor(() => expect(said()[0]).toBe('Logout failed'));
    expect(draft.read()).toBe('three');
    const leaving = vi.fn<() => void>();
    act(() => confirmBeforeLeaving(leaving));
    expect([result.current.guard.isAsking, leaving.mock.calls.length]).toEqual([true, 0]);
  },
);

test('the auth provider clears the drafts after a successful logout, and no longer asks before the page is left (contract §10)', async () => {
  const { result } = provided({
    '/api/user': () => Response.json(RIVKA),
    '/api/logout': endedByServer,
  });
  await waitFor(() => expect(result.current.user).toEqual(RIVKA));
  const draft = draftOf<string>(RIVKA.id, 'order-12');
  draft.keep('three');
  await logOut(result);
  await waitFor(() => expect(result.current.user).toBeNull());
  expect(draft.read()).toBeNull();
  const leaving = vi.fn<() => void>();
  act(() => confirmBeforeLeaving(leaving));
  expect(leaving).toHaveBeenCalledTimes(1);
});

/** Stores an order of a counter on the device, which then belongs to this user. */
async function fillDevice(owner: number): Promise<void> {
  // The database of an earlier test file may contain unsent writes, which would stay on the device.
  await removeCounterDb();
  allowCounterDb();
  await (await counterDb()).put('orders', {} as CounterOrder, [owner, 3, 4]);
  await closeCounterDb();
  setDeviceOwner(owner);
}
const ordersOnDevice = async () => await (await counterDb()).getAllKeys('orders');

test('when another user signs in, the auth provider removes the orders that a counter in another tab has left on the device, also if somebody has signed out in this tab before (contract §14; reliability abuse)', async () => {
  const { result } = provided({
    '/api/user': () => new Response('Please sign in.', { status: 401 }),
    '/api/login': () => Response.json(RIVKA),
  });
  await waitFor(() => expect([result.current.isLoading, result.current.user]).toEqual([false, null]));
  await fillDevice(8);
  forbidCounterDb();
  await act(async () => void (await result.current.login({ email: RIVKA.email, password: 'Three-Sheep-42' })));
  await waitFor(async () => expect([await ordersOnDevice(), deviceOwner()]).toEqual([[], null]));
});

test.each([
  ['keeps the orders of the counter on the device, and the user', RIVKA],
  ['keeps the orders of the counter on the device, and does not say that nobody is signed in,', null],
] as const)('the auth provider %s when a proxy replies 401 (contract §14; reliability abuse)', async (_, user) => {
  await fillDevice(RIVKA.id);
  const proxy = (): Response => new Response('Sign in to the Wi-Fi', { status: 401 });
  const replies = user ? [() => Response.json(user)] : [];
  const { result } = provided({ '/api/user': () => (replies.shift() ?? proxy)() });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  await act(async () => await result.current.refreshUser());
  await waitFor(() => expect(result.current).toMatchObject({ user, error: { message: '401: Sign in to the Wi-Fi' } }));
  // The orders would be removed by code that is loaded only then.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect([await ordersOnDevice(), deviceOwner()]).toEqual([[[RIVKA.id, 3, 4]], RIVKA.id]);
});

test('the auth provider shows the sign-in page when a proxy has removed the request id from the reply 401 of the server, on a device without data of a counter', async () => {
  removeDeviceOwner();
  const { result } = provided({ '/api/user': () => new Response('Please sign in.', { status: 401 }) });
  await waitFor(() => expect(result.current).toMatchObject({ isLoading: false, user: null, error: null }));
});
