// Opens the pick-up counter screen of a distribution with the real application, a simulated IndexedDB, and a network that can be cut
// (contract §14). Its test environment is test/environments/dom-on-node.ts.
import 'fake-indexeddb/auto';
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, vi } from 'vitest';
import { NetworkError, type Call } from '../src/client/api/fetch.ts';
import { useToasts } from '../src/client/toasts/toast.ts';
import { cents } from '../src/domain/money.ts';
import { allowCounterDb, readWrites, removeCounterDb } from '../src/features/counter/device/counter-db.ts';
import { CounterStore } from '../src/features/counter/device/counter-store.ts';
import type { NewWrite, Write } from '../src/features/counter/device/writes.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { freshDevice } from './screen.tsx';
import { setupTestApp, type Person } from './test-app.ts';

export const PICKED_UP: Write = { kind: 'picked-up', pickedUp: true };
export const cash = (amount: number): Write => ({
  kind: 'payment',
  amount: cents(amount),
  feeAmount: cents(0),
  paymentMethod: 'Cash',
  description: null,
});

export const shownToasts = () => renderHook(() => useToasts()).result.current.toasts;
export const toastTitles = (): unknown[] => shownToasts().map(({ title }) => title);

/** Waits until the check passes. */
export const eventually = async (check: () => unknown): Promise<void> => {
  await vi.waitFor(check, 60_000);
};

interface CounterDay {
  distributor: Person;
  /** The distributor allows this agent to take payments. */
  agent: Person;
  distribution: Row<'distributions'>;
  /** The customer who placed the order. */
  customer: Person;
  /** An order of two units that must be weighed. Each unit weighs about 5 lb, at $10.00 per lb. */
  order: Awaited<ReturnType<typeof makeOrder>>;
  /** The user whose session the device sends. With 'nobody' it sends no session, and with null it has no network. */
  signedIn: Person | 'nobody' | null;
}

/** Sets up the application, and for each test an empty device and a distribution with one order. */
export function setupCounter() {
  const testApp = setupTestApp();
  const day = {} as CounterDay;
  beforeEach(async () => {
    await removeCounterDb();
    allowCounterDb();
    freshDevice();
    const distributor = await makeDistributor(testApp.db);
    const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
    const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
    const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_price: cents(1000), unit_qty_is_estimate: true });
    const customer = await makeCustomer(testApp.db, distributor, { lastName: 'Abramov' });
    const order = await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
    Object.assign(day, { distributor, agent, distribution, customer, order, signedIn: distributor });
  });

  const network = (async (...args: Parameters<Call>) => {
    if (day.signedIn === null) throw new NetworkError('no network');
    return await (
      await testApp.as(day.signedIn === 'nobody' ? null : day.signedIn)
    )(...args);
  }) as Call;

  function openCounter(person: Person) {
    const onSignedOut = vi.fn();
    const user = { ...person, distributorId: day.distributor.id };
    const store = new CounterStore({ call: network, user, distributionId: day.distribution.id, onSignedOut });
    onTestFinished(store.start());
    const view = () => store.view();
    const states = () => view().writes.map(({ status }) => status);
    return { store, view, states, onSignedOut, enter: (...writes: Write[]) => store.write(day.order.id, writes, 'step') };
  }
  /** Opens a counter and waits until it shows the order. */
  async function openLoaded(person = day.distributor) {
    const counter = openCounter(person);
    await eventually(() => expect(counter.view().orders.size).toBe(1));
    return counter;
  }
  function setNetwork(signedIn: Person | null): void {
    day.signedIn = signedIn;
    dispatchEvent(new Event(signedIn ? 'online' : 'offline'));
  }
  /** Opens a counter, cuts its network, and enters these writes, which then wait in the queue on the device. */
  async function openWithQueue(writes: readonly Write[], person = day.distributor) {
    const counter = await openLoaded(person);
    setNetwork(null);
    counter.enter(...writes);
    await eventually(async () => expect(await readWrites()).toHaveLength(writes.length));
    return counter;
  }

  /** Returns a write that enters the weight of the order's first unit. `was` is the weight that the user has seen before. */
  const weight = (value: number, was: number | null = null): Write => ({
    kind: 'weight',
    orderProductId: day.order.lines[0]?.id ?? 0,
    index: 0,
    weight: value,
    was,
  });
  /** Returns an entry of the queue on the device that contains this write. With it, a test acts like another tab that adds an entry. */
  const queued = (key: string, write: Write, { id: userId } = day.distributor): NewWrite => ({
    key,
    userId,
    role: 'distributor',
    distributionId: day.distribution.id,
    orderId: day.order.id,
    at: new Date().toISOString(),
    write,
  });

  /** Calls `then` with the endpoint of each request after the server has processed it, until the returned function is called. */
  function afterEachCall(then: (endpoint: unknown) => unknown): () => void {
    const { as } = testApp;
    const spy = vi.spyOn(testApp, 'as').mockImplementation(async (person) => {
      const call = await as(person);
      return (async (...args: Parameters<Call>) => {
        const reply = await call(...args);
        await then(args[0]);
        return reply;
      }) as Call;
    });
    return () => spy.mockRestore();
  }

  const weights = async (): Promise<number[]> =>
    (
      await testApp.db
        .selectFrom('actual_quantities')
        .select('actualQuantity')
        .where('orderProductId', '=', day.order.lines[0]?.id ?? 0)
        .execute()
    ).map(({ actualQuantity }) => Number(actualQuantity));
  const payments = async (): Promise<number[]> =>
    (await testApp.db.selectFrom('payments').select('amount').where('orderId', '=', day.order.id).orderBy('id').execute()).map(
      ({ amount }) => Number(amount),
    );
  const isPickedUp = async (): Promise<boolean> =>
    (await testApp.db.selectFrom('orders').select('pickedUpAt').where('id', '=', day.order.id).executeTakeFirstOrThrow()).pickedUpAt !==
    null;

  const recorded = { weights, payments, isPickedUp };
  return { testApp, day, openCounter, openLoaded, openWithQueue, setNetwork, weight, queued, recorded, afterEachCall };
}
