// Runs random sequences of bookings, and compares each result with the rules of pick-up times (contract §16), which this test implements
// itself.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { makeOrders } from '../../../test/data/order-rows.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { SEED } from '../../../test/setup/sampling.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { runSingle, transaction, type Db } from '../../server/database/db.ts';
import { authenticateSession, openSession } from '../../server/auth/session.ts';
import { ownOrderState } from '../order-state/queries.ts';
import { SLOT_IS_FULL } from '../../domain/texts.ts';
import { listSlots } from './contract.ts';

const testApp = setupTestApp();

const CUSTOMERS = 5;
const SLOTS = 3;
let distributor: Person;
let people: Person[];
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  people = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(testApp.db, distributor)));
});

const who = fc.nat(CUSTOMERS - 1);
const slot = fc.nat(SLOTS - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('order' as const), who, slot, quantity: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('staff' as const), who, slot, quantity: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), slot }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** An order in this test's own computation. `slot` is the index of its pick-up time. */
interface Booking {
  readonly slot: number;
  readonly hasUnits: boolean;
}

test('a pick-up time never has more orders than its capacity, except orders that staff assign to it (contract §16)', async () => {
  const capacities = fc.array(fc.integer({ min: 1, max: 2 }), { minLength: SLOTS, maxLength: SLOTS });
  await fc.assert(
    fc.asyncProperty(capacities, fc.array(step, { minLength: 4, maxLength: 14 }), async (capacities, steps) => {
      const distribution = await makeDistribution(testApp.db, distributor);
      const { id: productId } = await makeProduct(testApp.db, distribution);
      const slots: { id: number; capacity: number }[] = [];
      for (const capacity of capacities) slots.push(await makeSlot(testApp.db, distribution, { capacity }));
      const deleted = new Set<number>();
      const bookings = new Map<number, Booking>();
      const takenBy = (place: number, except?: number): number =>
        [...bookings].filter(([person, one]) => person !== except && one.hasUnits && one.slot === place).length;

      const isAllowed = (step: Step): boolean => {
        // An order without units has no pick-up time, so the requested one does not matter.
        if ('quantity' in step && step.quantity === 0) return true;
        if (deleted.has(step.slot)) return false;
        if (step.act === 'delete') return takenBy(step.slot) === 0;
        const own = bookings.get(step.who);
        const keeps = own?.hasUnits === true && own.slot === step.slot;
        return step.act === 'staff' || keeps || takenBy(step.slot, step.who) < (capacities[step.slot] ?? 0);
      };
      const send = async (step: Step): Promise<boolean> => {
        const slotId = slots[step.slot]?.id;
        const order = 'who' in step && { distributionId: distribution.id, products: [{ productId, quantity: step.quantity }], slotId };
        const answer = order
          ? await testApp.request(step.act === 'staff' ? distributor : (people[step.who] as Person), {
              method: 'POST',
              url: step.act === 'staff' ? '/api/distributor/order' : '/api/orders',
              payload: step.act === 'staff' ? { ...order, customerId: people[step.who]?.id } : order,
            })
          : await testApp.request(distributor, { method: 'DELETE', url: `/api/distributions/${distribution.id}/slots/${slotId}` });
        expect([200, 201, 204, 400, 404, 409], answer.body).toContain(answer.statusCode);
        return answer.statusCode < 300;
      };
      for (const step of steps) {
        const isExpected = isAllowed(step);
        expect(await send(step), JSON.stringify(step)).toBe(isExpected);
        if (isExpected && step.act === 'delete') deleted.add(step.slot);
        if (isExpected && step.act !== 'delete') bookings.set(step.who, { slot: step.slot, hasUnits: step.quantity > 0 });
        const listed = await (await testApp.as(distributor))(listSlots, { params: { id: distribution.id } });
        const counted = new Map(listed.map(({ id, taken }) => [id, taken]));
        const expected = slots.flatMap(({ id }, place) => (deleted.has(place) ? [] : [[id, takenBy(place)] as const]));
        expect(counted).toEqual(new Map(expected));
      }
    }),
    { numRuns: iterations(12, 300), seed: SEED },
  );
});

/** Creates a pick-up time, and orders of new customers that have it. */
async function makeBookings({ capacity, orders }: { capacity: number; orders: number }) {
  const distribution = await makeDistribution(testApp.db, distributor);
  const { id: productId } = await makeProduct(testApp.db, distribution);
  const slot = await makeSlot(testApp.db, distribution, { capacity });
  await makeOrders(testApp.db, distribution, { count: orders, productIds: [productId], slotId: slot.id });
  return { distribution, productId, slot };
}

const rules = { customerIdleDays: 7, secure: false };
/** Looks up the session as a save of the order does. */
async function lookUpSession(db: Db, person: Person, { distribution, productId, slot }: Awaited<ReturnType<typeof makeBookings>>) {
  const { cookie } = await openSession(db, person, undefined, { now: testApp.time, rules });
  const args = { distributionId: distribution.id, productIds: [productId], slotIds: [slot.id] };
  const preload = { query: ownOrderState, parameters: ownOrderState.parametersOf(args) };
  const found = await authenticateSession(db, cookie, { now: testApp.time, rules, preload });
  expect(found?.preloaded).toMatchObject({ slots: [{ id: slot.id, taken: 0 }] });
}

const READ = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'order_products'`;

test('the session lookup of a save does not read the other orders of a pick-up time; the save refuses an order if the pick-up time is full (reliability abuse)', async () => {
  const bookings = await makeBookings({ capacity: 205, orders: 204 });
  const { distribution, productId, slot } = bookings;
  const order = async (person: Person) =>
    await testApp.request(person, {
      method: 'POST',
      url: '/api/orders',
      payload: { distributionId: distribution.id, products: [{ productId, quantity: 1 }], slotId: slot.id },
    });
  const [first, second] = people as [Person, Person];
  await transaction(testApp.db, async (db) => {
    const readLines = async () => (await runSingle<{ rows: number }>(db, READ, [])).rows;
    const before = await readLines();
    await lookUpSession(db, first, bookings);
    expect(await readLines()).toBe(before);
  });
  expect((await order(first)).statusCode).toBe(201);
  expect(await order(second)).toMatchObject({ statusCode: 409, body: expect.stringContaining(SLOT_IS_FULL) });
});

test('refused orders for a full pick-up time use up no order ids, which all distributors share (reliability growth)', async () => {
  const { distribution, productId, slot } = await makeBookings({ capacity: 1, orders: 1 });
  const payload = { distributionId: distribution.id, products: [{ productId, quantity: 1 }], slotId: slot.id };
  const refused = async () => {
    expect((await testApp.request(people[0] as Person, { method: 'POST', url: '/api/orders', payload })).statusCode).toBe(409);
    return await runSingle(testApp.db, 'SELECT last_value FROM orders_id_seq', []);
  };
  // The server reserves several ids at once, for example for the first of these orders.
  const before = await refused();
  for (let n = 0; n < 25; n++) expect(await refused()).toEqual(before);
});
