// Tests the sign-out on a device with counter entries that are not sent yet (contract §14).
import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { cents } from '../../../domain/money.ts';
import { makeCall } from '../../../client/api/fetch.ts';
import { deviceOwner, setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { draftOf } from '../../../client/storage/draft.ts';
import {
  addWrites,
  allowCounterDb,
  forbidCounterDb,
  isCounterDbRemoved,
  readWrites,
  removeCounterDb,
  removeDataOf,
} from '../../counter/device/counter-db.ts';
import { useAuth } from '../auth-provider.tsx';
import { LogoutButton } from './logout-button.tsx';
import { SignOutEverywhere } from './account-dialog.tsx';

const HANNAH = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: 7 } as const;
/** The server, unlike a proxy, sends its request id with each response. */
const endedByServer = (): Response => new Response(null, { status: 204, headers: { 'x-request-id': '1' } });
const entry = { key: 'a', userId: 7, role: 'distributor', distributionId: 3, orderId: 4, at: '2027-04-01T12:00:00Z' } as const;

beforeEach(async () => {
  await removeCounterDb();
  allowCounterDb();
  freshDevice();
  setDeviceOwner(HANNAH.id);
});

/** Shows a button that signs the user out, and presses it. The simulated server ends the session with the first request that reaches it. */
async function showButton(isOnline = true, [name, Shown]: readonly [string, ComponentType] = ['Logout', LogoutButton], isPressed = true) {
  const device = { isOnline, isSignedIn: true, stalled: Promise.resolve() };
  const call = makeCall({
    host: '',
    fetch: async (path) => {
      if (path === '/api/logout' || path === '/api/user/sign-out-everywhere') {
        if (!device.isOnline) throw new TypeError('fetch failed');
        await device.stalled;
        device.isSignedIn = false;
        return endedByServer();
      }
      return device.isSignedIn ? Response.json(HANNAH) : new Response('Please sign in.', { status: 401 });
    },
  });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => device.isOnline);
  onTestFinished(() => onLine.mockRestore());
  showScreen(call, '*', () => (
    <>
      <Shown />
      <p>{useAuth().user?.email}</p>
    </>
  ));
  const button = await screen.findByRole('button', { name });
  if (isPressed) fireEvent.click(button);
  return device;
}
const press = async (name: string) => void fireEvent.click(await screen.findByRole('button', { name }));
/** Makes the requests that end the session wait until the returned function is called. */
function stall(device: Awaited<ReturnType<typeof showButton>>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  device.stalled = promise;
  return resolve;
}
const isOnDevice = async () => (await indexedDB.databases()).length > 0;

describe('signing out everywhere while counter entries wait (contract §14)', () => {
  beforeEach(async () => await addWrites([{ ...entry, write: { kind: 'picked-up', pickedUp: true } }]));
  const openQuestion = async () => {
    const device = await showButton(true, ['Sign out everywhere', SignOutEverywhere]);
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByText(/^1 entry of the counter is not with the server yet/)).toBeTruthy();
    return device;
  };

  test('asks before it removes the entries from the device', async () => {
    const device = await openQuestion();
    expect([device.isSignedIn, await isOnDevice()]).toEqual([true, true]);
    await press('Sign out and lose it');
    await waitFor(async () => expect([device.isSignedIn, await isOnDevice()]).toEqual([false, false]));
  });

  test('keeps the session and the entries when the user cancels', async () => {
    const device = await openQuestion();
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect([device.isSignedIn, await isOnDevice()]).toEqual([true, true]);
  });
});

describe('an entry of the counter that is made while the sign-out runs', () => {
  const made = { ...entry, key: 'made since', write: { kind: 'picked-up', pickedUp: true } } as const;

  test('stays on the device although nobody was asked, and the Logout button shows that it is working (reliability abuse)', async () => {
    const device = await showButton(true, ['Logout', LogoutButton], false);
    const resume = stall(device);
    const logout = screen.getByRole<HTMLButtonElement>('button', { name: 'Logout' });
    fireEvent.click(logout);
    await waitFor(() => expect([logout.disabled, logout.getAttribute('aria-busy')]).toEqual([true, 'true']));
    await addWrites([made]);
    resume();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull());
    await staysAlone();
  });

  test.each([
    ['Logout', LogoutButton],
    ['Sign out everywhere', SignOutEverywhere],
  ] as const)('stays on the device when the user has agreed to lose earlier entries with "%s" (reliability abuse)', async (name, Shown) => {
    await addWrites([{ ...made, key: 'shown in the question' }]);
    const device = await showButton(true, [name, Shown]);
    if (name !== 'Logout') fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
    expect(await screen.findByText(/^1 entry of the counter is not with the server yet/)).toBeTruthy();
    const resume = stall(device);
    await press('Sign out and lose it');
    await addWrites([made]);
    resume();
    await waitFor(() => expect(device.isSignedIn).toBe(false));
    await staysAlone();
  });

  test('is named by the question that is asked when the server could not be reached, and is lost with the confirmation (reliability abuse)', async () => {
    const device = await showButton(true, ['Logout', LogoutButton], false);
    const { promise, reject } = Promise.withResolvers<void>();
    device.stalled = promise;
    const logout = screen.getByRole<HTMLButtonElement>('button', { name: 'Logout' });
    fireEvent.click(logout);
    await waitFor(() => expect(logout.disabled).toBe(true));
    const paid = { kind: 'payment', amount: cents(10_800), feeAmount: cents(0), paymentMethod: 'Cash', description: null } as const;
    await addWrites([{ ...made, write: paid }]);
    reject(new TypeError('fetch failed'));
    const question = await screen.findByRole('alertdialog');
    expect(within(question).getByRole('heading').textContent).toBe('Sign out and lose 1 entry?');
    expect(question.textContent).toContain('Money in the entries: $108.00 paid.');
    await press('Sign out and lose it');
    await waitFor(async () => expect([await isOnDevice(), deviceOwner()]).toEqual([false, null]));
  });

  async function staysAlone(): Promise<void> {
    await waitFor(async () => {
      expect(isCounterDbRemoved()).toBe(true);
      allowCounterDb();
      const keys = (await readWrites()).map(({ key }) => key);
      forbidCounterDb();
      expect([keys, deviceOwner()]).toEqual([[made.key], HANNAH.id]);
    });
  }
});

describe('signing out while counter entries wait (contract §14)', () => {
  beforeEach(async () => await addWrites([{ ...entry, write: { kind: 'picked-up', pickedUp: true } }]));

  test('with a network, clears the device after the confirmation', async () => {
    const device = await showButton();
    expect(await screen.findByText(/^1 entry of the counter is not with the server yet/)).toBeTruthy();
    await press('Sign out and lose it');
    await waitFor(async () => expect(await isOnDevice()).toBe(false));
    expect([device.isSignedIn, Object.keys(localStorage)]).toEqual([false, []]);
    expect(screen.queryByText('Logout failed')).toBeNull();
  });

  test('names and removes only the own entries of the user; entries of another member of staff stay on the device (reliability abuse)', async () => {
    await addWrites([{ ...entry, key: 'b', userId: 8, write: { kind: 'picked-up', pickedUp: true } }]);
    const device = await showButton();
    expect(await screen.findByText(/^1 entry of the counter is not with the server yet/)).toBeTruthy();
    await press('Sign out and lose it');
    await waitFor(() => expect([device.isSignedIn, deviceOwner()]).toEqual([false, 8]));
    allowCounterDb();
    expect(await readWrites()).toMatchObject([{ key: 'b' }]);
  });

  test('the next user of the tab can sign out while entries of another member of staff stay on the device (reliability abuse)', async () => {
    await removeCounterDb();
    allowCounterDb();
    await addWrites([{ ...entry, key: 'b', userId: 8, write: { kind: 'picked-up', pickedUp: true } }]);
    expect(await removeDataOf([])).toBe(8);
    const device = await showButton();
    await waitFor(() => expect([device.isSignedIn, deviceOwner()]).toEqual([false, 8]));
    allowCounterDb();
    expect(await readWrites()).toMatchObject([{ key: 'b' }]);
  });

  test('names how many entries would be lost, and the money in them', async () => {
    const money = { amount: cents(10_800), feeAmount: cents(0), paymentMethod: 'Cash' } as const;
    await addWrites([
      { ...entry, key: 'b', write: { kind: 'payment', ...money, description: null } },
      { ...entry, key: 'c', write: { kind: 'payment', ...money, amount: cents(123_401), description: null } },
      { ...entry, key: 'd', write: { kind: 'reversal', ...money, amount: cents(500), paymentKey: 'z' } },
    ]);
    await showButton();
    const question = await screen.findByRole('alertdialog', { name: 'Sign out and lose 4 entries?' });
    expect(question.textContent).toContain('4 entries of the counter are not with the server yet.');
    expect(question.textContent).toContain('Money in the entries: $1,342.01 paid, $5.00 taken back.');
    expect(within(question).getByRole('button', { name: 'Sign out and lose them' })).toBeTruthy();
  });

  test('names the money in payments by card with their fees (reliability abuse)', async () => {
    const money = { amount: cents(10_800), feeAmount: cents(216), paymentMethod: 'Credit Card' } as const;
    await addWrites([
      { ...entry, key: 'b', write: { kind: 'payment', ...money, description: 'Visa 4242' } },
      { ...entry, key: 'c', write: { kind: 'reversal', ...money, amount: cents(500), feeAmount: cents(10), paymentKey: 'z' } },
    ]);
    await showButton();
    const question = await screen.findByRole('alertdialog', { name: 'Sign out and lose 3 entries?' });
    expect(question.textContent).toContain('Money in the entries: $110.16 paid, $5.10 taken back.');
  });

  test('keeps the device as it is when the user cancels', async () => {
    const device = await showButton();
    await press('Cancel');
    expect([device.isSignedIn, await isOnDevice(), localStorage.length]).toEqual([true, true, 1]);
  });

  test('without a network, clears the device after the confirmation, says that the session still has to end, and ends it when the network is back', async () => {
    draftOf(HANNAH.id, 'order-12').keep('three');
    const device = await showButton(false);
    await press('Sign out and lose it');
    expect(await screen.findByText('Signed out on this device')).toBeTruthy();
    expect(screen.queryByText('Logout failed')).toBeNull();
    expect(location.pathname).toBe('/auth');
    expect(screen.getByText(/removed from this device, and your session ends as soon as this device is online again/)).toBeTruthy();
    await waitFor(async () => expect(await isOnDevice()).toBe(false));
    expect(screen.queryByText(HANNAH.email)).toBeNull();
    expect(Object.keys(localStorage)).toEqual(['feastday.pending-sign-out']);
    device.isOnline = true;
    dispatchEvent(new Event('online'));
    await waitFor(() => expect([device.isSignedIn, Object.keys(localStorage)]).toEqual([false, []]));
    expect(screen.queryByText(HANNAH.email)).toBeNull();
  });
});

test('without a network and without waiting entries, signing out of the counter asks before it removes the families from the device (contract §14)', async () => {
  await showButton(false);
  expect(await screen.findByText('Sign out without a network?')).toBeTruthy();
  await press('Sign out');
  await waitFor(() => expect(Object.keys(localStorage)).toEqual(['feastday.pending-sign-out']));
});

describe('signing out while the storage of the browser is full', () => {
  /** Lets the browser store nothing in localStorage while `isFull` returns true. */
  function fill(isFull: () => boolean): void {
    const store = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function store(this: Storage, key, value) {
      if (isFull()) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      Reflect.set(this, key, value);
    });
    onTestFinished(() => store.mockRestore());
  }
  const hasDraft = (): boolean => Object.keys(localStorage).some((key) => key.startsWith('feastday.draft.'));

  test('removes the data of a counter whose owner could not be stored (reliability abuse)', async () => {
    localStorage.clear();
    await addWrites([]);
    const device = await showButton();
    await waitFor(async () => expect([device.isSignedIn, await isOnDevice()]).toEqual([false, false]));
  });

  test('removes, without a network, the data of a counter whose owner could not be stored (reliability abuse)', async () => {
    localStorage.clear();
    fill(() => true);
    setDeviceOwner(HANNAH.id);
    await addWrites([]);
    const device = await showButton(false);
    await press('Sign out');
    expect(await screen.findByText('Signed out on this device')).toBeTruthy();
    await waitFor(async () => expect([await isOnDevice(), deviceOwner()]).toEqual([false, null]));
    device.isOnline = true;
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(device.isSignedIn).toBe(false));
  });

  test.each([
    ['of drafts, and remembers it', hasDraft, ['feastday.pending-sign-out']],
    ['of other data, and remembers it as long as the tab is open', () => true, []],
  ])('ends the session later if the network is off and the storage is full %s (reliability abuse)', async (_, isFull, stored) => {
    draftOf(HANNAH.id, 'order-12').keep('three');
    fill(isFull);
    const device = await showButton(false);
    await press('Sign out');
    expect(await screen.findByText('Signed out on this device')).toBeTruthy();
    await waitFor(() => expect(Object.keys(localStorage)).toEqual(stored));
    device.isOnline = true;
    dispatchEvent(new Event('online'));
    await waitFor(() => expect([device.isSignedIn, Object.keys(localStorage)]).toEqual([false, []]));
  });
});
