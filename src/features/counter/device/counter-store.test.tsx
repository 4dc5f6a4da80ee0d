// Tests the queue of an open counter: how entries are sent, and what happens to entries that the server refuses (contract §14).
import { act } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { weigh } from '../../../../test/data/order-rows.ts';
import { cash, eventually, PICKED_UP, setupCounter, shownToasts, toastTitles } from '../../../../test/open-counter.tsx';
import { CallError } from '../../../client/api/fetch.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { saveActuals } from '../../actuals/contract.ts';
import { recordPayment } from '../../payments/contract.ts';
import { readCounter } from '../contract.ts';
import { addWrites, changeWrites, readStored, readWrites, storeUpdate } from './counter-db.ts';
import { orderWith } from './writes.ts';

const { testApp, day, openCounter, openLoaded, openWithQueue, setNetwork, weight, queued, recorded, afterEachCall } = setupCounter();

describe('the queue of an open counter (contract §14)', () => {
  test('an entry is on the screen at once, reaches the server, and leaves the queue after the next read', async () => {
    const { store, view, enter } = await openLoaded();
    enter(weight(4.5), PICKED_UP);
    expect(view().writes).toHaveLength(2);
    await eventually(async () => expect(await recorded.weights()).toEqual([4.5]));
    await eventually(() => {
      store.refresh();
      expect(view().writes).toEqual([]);
    });
    expect(view().orders.get(day.order.id)).toMatchObject({
      pickedUpAt: expect.any(String),
      lines: [{ actuals: [{ actualQuantity: 4.5 }] }],
    });
  });

  test('a recorded weight stays on the screen while another tab stores what it has read earlier', async () => {
    const { store, view, states, enter } = await openLoaded();
    const earlier = (await readStored(day.distributor.id, day.distribution.id)) ?? expect.fail();
    await weigh(testApp.db, day.order.lines[0], [null, 5.5], day.distributor);
    const readAgain = (check: () => void) =>
      eventually(() => {
        store.refresh();
        check();
      });
    await readAgain(() => expect(view().snapshot?.mark).not.toBe(earlier.snapshot.mark));
    // The first read ends after the weight was sent. The other tab stores during the second read, before which the weight was sent.
    let reads = 0;
    const stop = afterEachCall(async (endpoint) => {
      if (endpoint !== readCounter) return;
      reads += 1;
      if (reads === 1) await eventually(() => expect(states()).toEqual(['sent']));
      if (reads === 2) await storeUpdate({ ...earlier, since: null });
    });
    onTestFinished(stop);
    enter(weight(4.5));
    const shown = new Set<unknown>();
    const show = () => {
      const order = view().orders.get(day.order.id);
      shown.add(order && orderWith(order, view().writes).lines[0]?.actuals.find(({ sortOrder }) => sortOrder === 0)?.actualQuantity);
    };
    onTestFinished(store.subscribe(show));
    await readAgain(() => expect(view().writes).toEqual([]));
    expect([...shown]).toEqual([4.5]);
  });

  test('entries wait while there is no network and are sent when it is back; a notification then says how many were sent', async () => {
    const { view, states, enter } = await openWithQueue([weight(4.5), PICKED_UP]);
    expect(view().connection).toBe('offline');
    expect(states()).toEqual(['waiting', 'waiting']);
    setNetwork(day.distributor);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
    await eventually(() =>
      expect(shownToasts()).toMatchObject([{ title: '2 entries sent', description: 'Everything is with the server.' }]),
    );
    // Removes the toasts of the outage: with a network, a sent entry must show no notification.
    act(dismissToasts);
    enter({ kind: 'picked-up', pickedUp: false });
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
    await eventually(() => expect(states()).not.toContain('waiting'));
    await eventually(() => expect(states()).not.toContain('sending'));
    expect(toastTitles()).toEqual([]);
  });

  test('the counter stays offline when the network is lost while a response is stored', async () => {
    const { store, view } = openCounter(day.distributor);
    const stop = store.subscribe(() => {
      if (view().orders.size === 0) return;
      stop();
      setNetwork(null);
    });
    await eventually(() => expect(view().orders.size).toBe(1));
    // The counter reads its queue once more before its read of the orders ends. These reads of the queue end after that.
    for (let read = 0; read < 5; read++) await readWrites();
    expect(view().connection).toBe('offline');
  });

  test('a payment whose response is outstanding is shown only once, even after a read contains the recorded payment', async () => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { store, view, states, enter } = await openLoaded();
    const response = Promise.withResolvers<void>();
    onTestFinished(afterEachCall(async (endpoint) => await (endpoint === recordPayment ? response.promise : undefined)));
    enter(cash(4000));
    const stored = () => view().orders.get(day.order.id);
    await eventually(() => {
      store.refresh();
      expect(stored()?.payments).toHaveLength(1);
    });
    const shown = () => orderWith(stored() ?? expect.fail(), view().writes).payments.map(({ amount }) => amount);
    expect(states()).toEqual(['sending']);
    expect(shown()).toEqual([4000]);
    response.resolve();
    await eventually(() => expect(states()).toEqual(['sent']));
    expect(shown()).toEqual([4000]);
  });

  test('when the session ends before all waiting entries are sent, no notification says that they were sent', async () => {
    const { onSignedOut } = await openWithQueue([weight(4.5), PICKED_UP]);
    onTestFinished(
      afterEachCall((endpoint) => {
        if (endpoint === saveActuals) day.signedIn = 'nobody';
      }),
    );
    setNetwork(day.distributor);
    await eventually(() => expect(onSignedOut).toHaveBeenCalledOnce());
    expect(await recorded.weights()).toEqual([4.5]);
    expect((await readWrites()).map(({ write, status }) => [write.kind, status])).toEqual([
      ['weight', 'sent'],
      ['picked-up', 'waiting'],
    ]);
    expect(toastTitles()).toEqual([]);
  });

  test("an entry stores the product name of its unit, so that the entry can be named after its order has left the device; it stores no person's name", async () => {
    const name = 'Brisket';
    await testApp.db.updateTable('products').set({ name, uom: 'lb' }).where('distributionId', '=', day.distribution.id).execute();
    await openWithQueue([weight(4.5), { kind: 'remove-weight', orderProductId: day.order.lines[0]?.id ?? 0, index: 1, was: 5 }, cash(900)]);
    const stored = await readWrites();
    expect(stored.map(({ text }) => text)).toEqual(['Brisket 1/2: 4.5 lb', 'Brisket 2/2: not weighed', '$9.00, Cash']);
    expect(JSON.stringify(stored)).not.toContain('Abramov');
  });

  test.each([
    [429, 'busy'],
    [503, 'busy'],
    [500, 'failing'],
    [502, 'failing'],
  ])(
    'after a response with status %d, the counter reports that the server is %s, and keeps the entry until the server accepts it',
    async (status, connection) => {
      const { view, states, enter } = await openLoaded();
      const { as } = testApp;
      const spy = vi.spyOn(testApp, 'as').mockImplementation(async () => () => Promise.reject(new CallError(status, 'not now')));
      enter(PICKED_UP);
      await eventually(() => expect(view().connection).toBe(connection));
      expect(states()).toEqual(['waiting']);
      spy.mockImplementation(as);
      await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
      await eventually(() => expect(view().connection).toBe('online'));
      spy.mockRestore();
    },
  );

  test('a counter that is opened without a network shows the orders and the queue that the device has stored', async () => {
    await openLoaded();
    setNetwork(null);
    await addWrites([queued('earlier', PICKED_UP), queued('of another user', PICKED_UP, day.agent)]);
    const { view } = openCounter(day.distributor);
    await eventually(() => expect(view().orders.size).toBe(1));
    await eventually(() => expect(view().writes.map(({ key }) => key)).toEqual(['earlier']));
  });

  test('in a browser that cannot store an entry, the counter reports that the entry is not recorded, and offers no Undo for it', async () => {
    const { view, enter } = await openLoaded();
    const broken = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    enter(PICKED_UP);
    await eventually(() => expect(toastTitles()).toEqual(['Not recorded']));
    broken.mockRestore();
    expect(view()).toMatchObject({ writes: [], lastStep: null });
  });

  test('on a device without room for the orders, the counter shows what it has read from the server, and stores it as soon as there is room', async () => {
    const { store, view } = await openLoaded();
    const broken = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    onTestFinished(() => broken.mockRestore());
    for (const weights of [[4.5], [null, 5.5]]) {
      await weigh(testApp.db, day.order.lines[0], weights, day.agent);
      await eventually(() => {
        store.refresh();
        expect(
          view()
            .orders.get(day.order.id)
            ?.lines[0]?.actuals.map(({ actualQuantity }) => actualQuantity),
        ).toContain(weights.at(-1));
      });
      expect(view().connection).toBe('online');
    }
    broken.mockRestore();
    await eventually(async () => expect(await readStored(day.distributor.id, day.distribution.id)).not.toBeNull());
  });
});

describe('an entry that the server refuses (contract §14)', () => {
  async function refusedWeight() {
    const counter = await openLoaded();
    setNetwork(null);
    await weigh(testApp.db, day.order.lines[0], [4.9], day.agent);
    counter.enter(weight(4.5));
    setNetwork(day.distributor);
    await eventually(() => expect(counter.states()).toEqual(['refused']));
    const [refused] = counter.view().writes;
    if (!refused) throw new Error('nothing was refused');
    return { ...counter, refused };
  }

  test('stays in the list of refused entries with the reason, does not change the displayed order, and can be sent again to replace the recorded weight', async () => {
    const { store, view, refused } = await refusedWeight();
    expect(refused.reason).toMatch(/4\.9/);
    await eventually(() => expect(view().orders.get(day.order.id)?.lines[0]?.actuals[0]?.actualQuantity).toBe(4.9));
    await store.retry(refused);
    await eventually(async () => expect(await recorded.weights()).toEqual([4.5]));
    expect((await readWrites()).map(({ key }) => key)).not.toContain(refused.key);
  });

  test('removes the recorded weight if it is a removal that is sent again after another station has changed the weight', async () => {
    const [line] = day.order.lines;
    await weigh(testApp.db, line, [4.5], day.distributor);
    const { store, view, states, enter } = await openLoaded();
    setNetwork(null);
    await testApp.db
      .updateTable('actual_quantities')
      .set({ actualQuantity: 4.9 })
      .where('orderProductId', '=', line?.id ?? 0)
      .execute();
    enter({ kind: 'remove-weight', orderProductId: line?.id ?? 0, index: 0, was: 4.5 });
    setNetwork(day.distributor);
    await eventually(() => expect(states()).toEqual(['refused']));
    await eventually(() => expect(view().orders.get(day.order.id)?.lines[0]?.actuals[0]?.actualQuantity).toBe(4.9));
    const [refused] = view().writes;
    if (refused) await store.retry(refused);
    await eventually(async () => expect(await recorded.weights()).toEqual([]));
  });

  test('turns the notification after an outage into a warning, which states how many entries were refused and sent', async () => {
    const { enter } = await openLoaded();
    setNetwork(null);
    await weigh(testApp.db, day.order.lines[0], [4.9], day.agent);
    enter(weight(4.5), PICKED_UP);
    setNetwork(day.distributor);
    await eventually(() =>
      expect(shownToasts()).toMatchObject([{ title: '1 entry was refused', description: '1 entry sent', variant: 'destructive' }]),
    );
  });

  test('leaves the queue when it is discarded', async () => {
    const { store, states, refused } = await refusedWeight();
    await store.discard(refused);
    expect(states()).toEqual([]);
    expect(await recorded.weights()).toEqual([4.9]);
  });

  test('cannot be discarded or sent again once another tab has sent it again', async () => {
    const { store, states, refused } = await refusedWeight();
    setNetwork(null);
    await changeWrites([refused], (write) => ({ ...write, status: 'waiting' }));
    await store.discard(refused);
    await store.retry(refused);
    expect(toastTitles()).toContain('This entry is not refused any more. Nothing was changed.');
    expect(states()).toEqual(['waiting']);
    expect((await readWrites()).map(({ key }) => key)).toEqual([refused.key]);
  });
});
