// Tests which data the device keeps: with several tabs, after a sign-out, and when the session or the distribution ends (contract §14).
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor } from '../../../../test/data/factories.ts';
import { cash, eventually, PICKED_UP, setupCounter } from '../../../../test/open-counter.tsx';
import { CallError, type Call } from '../../../client/api/fetch.ts';
import { deviceOwner, setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { STAFF_IDLE_HOURS } from '../../../domain/accounts/session-limits.ts';
import { addWrites, allowCounterDb, counterDb, readSnapshots, readStored, readWrites, removeFamilies, storeUpdate } from './counter-db.ts';
import { clearDevice, readUnsentOf } from './device-data.ts';
import { removeEndedFamilies } from './ended-families.ts';
import { sendWrites } from './send-writes.ts';
import type { QueuedWrite } from './writes.ts';

const { testApp, day, openCounter, openLoaded, openWithQueue, setNetwork, weight, queued, recorded } = setupCounter();
const keysOf = (writes: readonly QueuedWrite[]): string[] => writes.map(({ key }) => key);
const anotherTab = new BroadcastChannel('feastday-counter');

describe('the counter in several tabs (contract §14)', () => {
  test('shows the entries of another tab of the same user', async () => {
    const { view } = await openLoaded();
    setNetwork(null);
    await addWrites([queued('other tab', PICKED_UP)]);
    anotherTab.postMessage('queue');
    await eventually(() => expect(view().writes.map(({ key }) => key)).toEqual(['other tab']));
  });

  test('closes when another tab signs out, and does not create the database of the device again', async () => {
    const { view, onSignedOut, enter } = await openLoaded();
    anotherTab.postMessage('signed out');
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect(view()).toMatchObject({ snapshot: null, writes: [] });
    enter(PICKED_UP);
    await expect(counterDb()).rejects.toThrow('removed');
  });
});

describe('the orders on the device (contract §14)', () => {
  const names = async () => (await readStored(day.distributor.id, day.distribution.id))?.orders.map(({ lastName }) => lastName);

  test('are deleted together with the queue at sign-out', async () => {
    await openWithQueue([PICKED_UP]);
    await clearDevice(keysOf(await readWrites()));
    expect(await indexedDB.databases()).toEqual([]);
  });

  test('are deleted at sign-out, but the entries that the user has made since the question stay, and are sent when the user signs in again (reliability abuse)', async () => {
    const { enter } = await openWithQueue([cash(100)]);
    const lostKeys = keysOf(await readWrites());
    enter(PICKED_UP);
    await eventually(async () => expect(await readWrites()).toHaveLength(2));
    await clearDevice(lostKeys);
    expect(deviceOwner()).toBe(day.distributor.id);
    allowCounterDb();
    expect(await readWrites()).toMatchObject([{ write: PICKED_UP, status: 'waiting' }]);
    expect(await readSnapshots()).toEqual([]);
    day.signedIn = day.distributor;
    openCounter(day.distributor);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
  });

  test('are deleted when another user signs out, but the unsent entries of the first user stay, are shown as those of another person, and are sent when that user signs in again (reliability abuse)', async () => {
    await openWithQueue([PICKED_UP]);
    day.signedIn = day.agent;
    const { view } = await openLoaded(day.agent);
    expect(view()).toMatchObject({ writes: [], othersUnsent: 1 });
    await addWrites([queued('of-the-agent', cash(100), day.agent)]);
    await clearDevice(keysOf(await readUnsentOf(day.agent.id)));
    expect(deviceOwner()).toBe(day.distributor.id);
    allowCounterDb();
    expect(await readWrites()).toMatchObject([{ userId: day.distributor.id, status: 'waiting' }]);
    expect(await readSnapshots()).toEqual([]);
    day.signedIn = day.distributor;
    openCounter(day.distributor);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
  });

  test('contain the entries of the next user unchanged when a reply to an entry of the signed-out user arrives late', async () => {
    const call = await testApp.as(day.distributor);
    let isOn = true;
    const signOutMeanwhile = (async (...args: Parameters<Call>) => {
      const reply = await call(...args);
      isOn = false;
      await clearDevice(keysOf(await readWrites()));
      allowCounterDb();
      await addWrites([queued('of-the-next-user', PICKED_UP), queued('also-of-the-next-user', cash(100))]);
      return reply;
    }) as Call;
    await addWrites([queued('of-the-signed-out-user', weight(4.5)), queued('also-of-the-signed-out-user', cash(5000))]);
    await sendWrites({ call: signOutMeanwhile, userId: day.distributor.id, onChange: () => undefined, isOn: () => isOn });
    expect(await readWrites()).toMatchObject([
      { key: 'of-the-next-user', status: 'waiting' },
      { key: 'also-of-the-next-user', status: 'waiting', write: cash(100) },
    ]);
  });

  test('are deleted at the end of the session; waiting entries are sent after the next sign-in of the same user', async () => {
    const { store, onSignedOut } = await openWithQueue([PICKED_UP]);
    expect(await names()).toEqual(['Abramov']);
    day.signedIn = 'nobody';
    store.refresh();
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect(await names()).toBeUndefined();
    expect(await readWrites()).toMatchObject([{ status: 'waiting' }]);
    day.signedIn = day.distributor;
    openCounter(day.distributor);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
  });

  test.each([
    ['of the same organization', () => Promise.resolve(day.agent)],
    ['of another organization', () => makeDistributor(testApp.db)],
    ['who is a customer', () => makeCustomer(testApp.db, day.distributor)],
  ])("are deleted when another user (%s) has signed in; the first user's waiting entries are not sent", async (_, make) => {
    const { store, onSignedOut } = await openWithQueue([PICKED_UP]);
    day.signedIn = await make();
    store.refresh();
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect(await readWrites()).toMatchObject([{ status: 'waiting' }]);
    expect(await names()).toBeUndefined();
  });

  test('of the user who works now stay when the session of another user ends in another tab (reliability abuse)', async () => {
    const { store, onSignedOut } = await openLoaded();
    setNetwork(null);
    // In another tab, the agent signs in and opens the counter.
    const stored = await readStored(day.distributor.id, day.distribution.id);
    if (!stored) throw new Error('nothing is stored');
    const user = { ...stored.snapshot.user, id: day.agent.id };
    await storeUpdate({ snapshot: { ...stored.snapshot, user }, orders: stored.orders, since: null });
    setDeviceOwner(day.agent.id);
    const heard: unknown[] = [];
    anotherTab.onmessage = ({ data }) => heard.push(data);
    day.signedIn = 'nobody';
    store.refresh();
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect((await readSnapshots()).map((snapshot) => snapshot.user.id)).toEqual([day.agent.id]);
    expect((await readStored(day.agent.id, day.distribution.id))?.orders).toHaveLength(1);
    expect([deviceOwner(), heard.includes('signed out')]).toEqual([day.agent.id, false]);
  });

  test('stay when a proxy replies 401 (reliability abuse)', async () => {
    const { store, view, onSignedOut } = await openLoaded();
    const refuse = () => Promise.reject(new CallError(401, 'Sign in to this network.', false));
    const proxy = vi.spyOn(testApp, 'as').mockResolvedValue(refuse as Call);
    store.refresh();
    await eventually(() => expect(view().connection).not.toBe('online'));
    proxy.mockRestore();
    store.refresh();
    await eventually(() => expect(view().connection).toBe('online'));
    expect(onSignedOut).not.toHaveBeenCalled();
    expect(await names()).toEqual(['Abramov']);
  });

  test('are deleted when the user must first add a second factor; waiting entries are not sent until then', async () => {
    day.signedIn = day.agent;
    const { store, onSignedOut } = await openWithQueue([PICKED_UP], day.agent);
    await testApp.db.updateTable('users').set({ requireSecondFactor: true }).where('id', '=', day.agent.id).execute();
    day.signedIn = day.agent;
    store.refresh();
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect(await readWrites()).toMatchObject([{ status: 'waiting' }]);
    expect(await readStored(day.agent.id, day.distribution.id)).toBeNull();
  });

  test('are deleted with the distribution; waiting entries are reported as refused', async () => {
    const { store, view, states } = await openWithQueue([PICKED_UP]);
    await testApp.db.deleteFrom('order_products').where('orderId', '=', day.order.id).execute();
    await testApp.db.deleteFrom('orders').where('id', '=', day.order.id).execute();
    await testApp.db.deleteFrom('products').where('distributionId', '=', day.distribution.id).execute();
    await testApp.db.deleteFrom('distributions').where('id', '=', day.distribution.id).execute();
    day.signedIn = day.distributor;
    store.refresh();
    await eventually(() => expect(states()).toEqual(['refused']));
    expect(view()).toMatchObject({ snapshot: null, error: { message: expect.stringContaining('404') } });
    expect(await names()).toBeUndefined();
  });

  test('are read and stored again when another tab has deleted them while the counter is open', async () => {
    const { store, view } = await openLoaded();
    await removeFamilies(day.distributor.id, day.distribution.id);
    await testApp.db.updateTable('orders').set({ note: 'No bones' }).where('id', '=', day.order.id).execute();
    await eventually(() => {
      store.refresh();
      expect(view().orders.get(day.order.id)?.note).toBe('No bones');
    });
    expect(await names()).toEqual(['Abramov']);
  });

  test('are deleted when the distribution accepts no actual quantities any more', async () => {
    const { store, view } = await openLoaded();
    await testApp.db.updateTable('distributions').set({ acceptActuals: false }).where('id', '=', day.distribution.id).execute();
    store.refresh();
    await eventually(() => expect(view()).toMatchObject({ snapshot: null, isClosed: true }));
    expect(await names()).toBeUndefined();
  });

  describe('of another distribution, whose counter is not open,', () => {
    const otherId = () => day.distribution.id + 1_000_000;
    /** Stores another distribution on the device, whose orders were read this many hours ago. */
    async function storeOther(id: number, hoursAgo = 0): Promise<void> {
      const stored = await readStored(day.distributor.id, day.distribution.id);
      if (!stored) throw new Error('nothing is stored');
      const distribution = { ...stored.snapshot.distribution, id };
      const snapshot = { ...stored.snapshot, distribution, readAt: Date.now() - hoursAgo * 3_600_000 };
      await storeUpdate({ snapshot, orders: stored.orders, since: null });
    }
    const storedIds = async () => (await readSnapshots()).map(({ distribution }) => distribution.id).toSorted((a, b) => a - b);

    test('are deleted when a counter opens after that distribution has stopped accepting actual quantities', async () => {
      const accepting = await makeDistribution(testApp.db, day.distributor, { acceptActuals: true });
      const ended = await makeDistribution(testApp.db, day.distributor, { acceptActuals: false });
      await openLoaded();
      for (const { id } of [accepting, ended]) await storeOther(id);
      openCounter(day.distributor);
      await eventually(async () => expect(await storedIds()).toEqual([day.distribution.id, accepting.id]));
      expect(await names()).toEqual(['Abramov']);
    });

    test('are deleted when a counter opens without a network and the orders were read so long ago that the session has ended', async () => {
      await openLoaded();
      await storeOther(otherId(), STAFF_IDLE_HOURS + 1);
      setNetwork(null);
      openCounter(day.distributor);
      await eventually(async () => expect(await storedIds()).toEqual([day.distribution.id]));
    });

    test('are deleted when the list of distributions shows that it has stopped accepting actual quantities', async () => {
      await openLoaded();
      await storeOther(otherId());
      await removeEndedFamilies({ distributions: [{ id: otherId(), acceptActuals: true }, day.distribution], readAt: Date.now() + 1 });
      expect(await storedIds()).toEqual([day.distribution.id, otherId()]);
      await removeEndedFamilies({ distributions: [{ id: otherId(), acceptActuals: false }, day.distribution], readAt: 0 });
      expect(await storedIds()).toEqual([day.distribution.id, otherId()]);
      await removeEndedFamilies({ distributions: [{ id: otherId(), acceptActuals: false }, day.distribution], readAt: Date.now() + 1 });
      expect(await storedIds()).toEqual([day.distribution.id]);
    });
  });

  test('are deleted once the session must have ended because it was not used, even without a network', async () => {
    const { store, view } = await openLoaded();
    setNetwork(null);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + (STAFF_IDLE_HOURS + 1) * 3_600_000);
    onTestFinished(() => now.mockRestore());
    store.refresh();
    await eventually(() => expect(view().snapshot).toBeNull());
    now.mockRestore();
    expect(await names()).toBeUndefined();
  });
});
