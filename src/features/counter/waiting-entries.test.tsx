// Tests that entries of the counter are shown and sent while the user is on another screen of staff (contract §14).
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution } from '../../../test/data/factories.ts';
import { weigh } from '../../../test/data/order-rows.ts';
import { cash, eventually, PICKED_UP, setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { NetworkError, type Call } from '../../client/api/fetch.ts';
import { cents } from '../../domain/money.ts';
import { setDeviceOwner } from '../../client/storage/device-owner.ts';
import { readUser } from '../auth/contract.ts';
import { setPickedUp } from '../pick-up/contract.ts';
import { openTill } from '../tills/contract.ts';
import { TillsPage } from '../tills/page/tills-page.tsx';
import { addWrites, changeWrites, readSnapshots, readWrites, storeUpdate } from './device/counter-db.ts';

const { testApp, day, queued, weight, recorded } = setupCounter();
beforeEach(() => setDeviceOwner(day.distributor.id));

/** Opens the page of the tills. `before` runs before each request, and can make the request fail by throwing. */
async function openTills(before: (endpoint: unknown) => void = () => undefined): Promise<void> {
  const call = await testApp.as(day.distributor);
  const watched = (async (...args: Parameters<Call>) => {
    before(args[0]);
    return await call(...args);
  }) as Call;
  navigate(`/distributor/distribution/${day.distribution.id}/tills`);
  showScreen(watched, '/:role/distribution/:id/tills', TillsPage);
  await screen.findByRole('heading', { name: 'Tills' });
}
async function storeFamiliesOf(distributionId: number): Promise<void> {
  const { id, email } = day.distributor;
  const user = { id, email, role: 'distributor', distributorId: id } as const;
  const distribution = { id: distributionId, name: 'Passover', date: '2027-04-01', acceptActuals: true, rehearsal: false };
  const viewer = { id, mayTakePayments: true, needsTill: false };
  const snapshot = { user, distribution, viewer, catalogue: { products: [], fees: [] }, mark: '1.1', readAt: Date.now() - 1000 };
  await storeUpdate({ snapshot, orders: [], since: null });
}
const counterLink = () => screen.queryByRole('link', { name: 'Open the counter' });

test('another screen than the counter shows waiting entries with a link to their counter, and sends them as soon as the network is back (contract §14)', async () => {
  await addWrites([queued('a', weight(4.5)), queued('b', PICKED_UP)]);
  let isOnline = false;
  await openTills((endpoint) => {
    if (!isOnline && endpoint === readUser && document.querySelector('main')) throw new NetworkError('no network');
  });
  expect(await screen.findByText('2 entries of the counter wait')).toBeTruthy();
  expect(counterLink()?.getAttribute('href')).toBe(`/distributor/distribution/${day.distribution.id}/counter`);
  expect(await recorded.isPickedUp()).toBe(false);
  isOnline = true;
  dispatchEvent(new Event('online'));
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
  await waitFor(() => expect(counterLink()).toBeNull());
});

test('another screen than the counter reads its figures again when the waiting entries have been sent (contract §14)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  await (
    await testApp.as(day.distributor)
  )(openTill, { body: { distributionId: day.distribution.id, float: cents(0) } });
  await addWrites([queued('a', cash(10_000))]);
  let isOnline = false;
  await openTills((endpoint) => {
    if (!isOnline && endpoint === readUser && document.querySelector('main')) throw new NetworkError('no network');
  });
  expect(await screen.findByText(/ · 0 entries$/)).toBeTruthy();
  isOnline = true;
  dispatchEvent(new Event('online'));
  expect(await screen.findByText(/ · 1 entry$/)).toBeTruthy();
});

test('another screen than the counter shows the numbers of waiting and of refused entries (contract §14)', async () => {
  await addWrites([queued('a', PICKED_UP), queued('b', PICKED_UP)]);
  await changeWrites((await readWrites()).slice(0, 1), (stored) => ({ ...stored, status: 'refused', reason: 'Overtaken' }));
  await openTills((endpoint) => {
    if (endpoint === setPickedUp) throw new NetworkError('no network');
  });
  expect(await screen.findByText('1 entry of the counter waits, 1 was refused')).toBeTruthy();
});

test('entries are not sent after another user has signed in in another tab, and entries of another user are only counted (reliability abuse)', async () => {
  await addWrites([queued('a', PICKED_UP), queued('of the agent', PICKED_UP, day.agent)]);
  const call = await testApp.as(day.distributor);
  const asAgent = await testApp.as(day.agent);
  let isReplaced = false;
  const shared = (async (...args: Parameters<Call>) => await (isReplaced ? asAgent : call)(...args)) as Call;
  navigate(`/distributor/distribution/${day.distribution.id}/tills`);
  const replacing = (async (...args: Parameters<Call>) => {
    const reply = await shared(...args);
    isReplaced ||= args[0] === readUser;
    return reply;
  }) as Call;
  showScreen(replacing, '/:role/distribution/:id/tills', TillsPage);
  expect(await screen.findByText('1 entry of the counter waits')).toBeTruthy();
  const others = '1 entry of another member of staff waits on this device. It is sent when that person signs in here.';
  expect(screen.getByText(others)).toBeTruthy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await recorded.isPickedUp()).toBe(false);
});

test('without a network, a screen links to the counter whose families are on the device, also when no entry waits (contract §14)', async () => {
  await storeFamiliesOf(day.distribution.id);
  let isOnline = false;
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  onTestFinished(() => onLine.mockRestore());
  await openTills();
  expect(await screen.findByText('The counter goes on without a network')).toBeTruthy();
  expect(counterLink()?.getAttribute('href')).toBe(`/distributor/distribution/${day.distribution.id}/counter`);
  isOnline = true;
  act(() => void dispatchEvent(new Event('online')));
  expect(counterLink()).toBeNull();
});

test('when the list of distributions has been read, the families of a distribution that accepts no actual quantities are removed from the device (contract §14)', async () => {
  const { id } = await makeDistribution(testApp.db, day.distributor, { acceptActuals: false });
  await storeFamiliesOf(id);
  await openTills();
  await eventually(async () => expect(await readSnapshots()).toEqual([]));
});

test('on a device that was never used as a counter, a screen neither shows nor sends queued entries', async () => {
  localStorage.clear();
  await addWrites([queued('a', PICKED_UP)]);
  await openTills();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(counterLink()).toBeNull();
  expect(await readWrites()).toMatchObject([{ status: 'waiting' }]);
});
