// Tests the sign-out from a counter's device whose Wi-Fi works while the server does not end the session (contract §14).
import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { addWrites, allowCounterDb, removeCounterDb } from '../../counter/device/counter-db.ts';
import { useAuth } from '../auth-provider.tsx';
import { LogoutButton } from './logout-button.tsx';

const HANNAH = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: 7 } as const;
const MADE = { key: 'a', userId: 7, role: 'distributor', distributionId: 3, orderId: 4, at: '2027-04-01T12:00:00Z' } as const;
const ENTRY = { ...MADE, write: { kind: 'picked-up', pickedUp: true } } as const;
/** The server, unlike a proxy, sends its request id with each response. */
const FROM_SERVER = { 'x-request-id': '1' };
const HTML = { 'content-type': 'text/html' };

beforeEach(async () => {
  await removeCounterDb();
  allowCounterDb();
  freshDevice();
  setDeviceOwner(HANNAH.id);
});

const press = async (name: string) => void fireEvent.click(await screen.findByRole('button', { name }));
const isOnDevice = async () => (await indexedDB.databases()).length > 0;

/**
 * Presses the Logout button while these entries wait. Each request to sign out gets `reply`, and the session goes on, until the returned
 * function is called: from then on, the server ends the session.
 */
async function pressLogout(waiting: readonly (typeof ENTRY)[], reply: () => Response): Promise<() => void> {
  await addWrites([...waiting]);
  let answer = reply;
  let isSignedIn = true;
  const end = (): Response => {
    isSignedIn = false;
    return new Response(null, { status: 204, headers: FROM_SERVER });
  };
  const call = makeCall({
    host: '',
    fetch: async (path) => {
      if (path === '/api/logout') return answer();
      return isSignedIn ? Response.json(HANNAH) : new Response('Please sign in.', { status: 401, headers: FROM_SERVER });
    },
  });
  showScreen(call, '*', () => (
    <>
      <LogoutButton />
      <p>{useAuth().user?.email}</p>
    </>
  ));
  await press('Logout');
  return () => {
    answer = end;
    dispatchEvent(new Event('online'));
  };
}

/** Expects that the device has no data of the counter, and that the session is ended as soon as the server can be reached. */
async function expectSignedOutHere(reachServer: () => void): Promise<void> {
  expect(await screen.findByText('Signed out on this device')).toBeTruthy();
  expect(screen.queryByText(HANNAH.email)).toBeNull();
  await waitFor(async () => expect([await isOnDevice(), Object.keys(localStorage)]).toEqual([false, ['feastday.pending-sign-out']]));
  reachServer();
  await waitFor(() => expect(localStorage.length).toBe(0));
}

const REPLIES: (readonly [string, () => Response])[] = [
  [
    'nobody replies',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
  ['a proxy replies 204', () => new Response(null, { status: 204 })],
  ['a proxy replies 401', () => new Response('Sign in to the Wi-Fi', { status: 401 })],
  ['a proxy replies 403', () => new Response('<h1>403</h1>', { status: 403, headers: HTML })],
  ['a proxy replies 429', () => new Response('Too many requests', { status: 429 })],
  ['a proxy replies 502', () => new Response('<h1>502</h1>', { status: 502, headers: HTML })],
];

test.each(REPLIES)(
  'when %s, signing out asks although no entry waits, and removes the families after the confirmation (reliability abuse)',
  async (_, reply) => {
    const reachServer = await pressLogout([], reply);
    expect(await screen.findByText('Sign out without a network?')).toBeTruthy();
    expect(screen.queryByText('Logout failed')).toBeNull();
    await press('Sign out');
    await expectSignedOutHere(reachServer);
  },
);

test.each(REPLIES)(
  'when %s, signing out removes the families and the waiting entry after the confirmation (reliability abuse)',
  async (_, reply) => {
    const reachServer = await pressLogout([ENTRY], reply);
    await press('Sign out and lose it');
    await expectSignedOutHere(reachServer);
  },
);

test.each([
  ['without waiting entries', []],
  ['with a waiting entry', [ENTRY]],
])('when the server itself refuses the sign-out %s, the user stays signed in, and the device keeps its data', async (_, waiting) => {
  await pressLogout(waiting, () => new Response('Refused.', { status: 403, headers: FROM_SERVER }));
  if (waiting.length > 0) await press('Sign out and lose it');
  expect(await screen.findByText('Logout failed')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([await isOnDevice(), Object.keys(localStorage)]).toEqual([true, ['feastday.counter']]);
  expect(screen.getByText(HANNAH.email)).toBeTruthy();
});
