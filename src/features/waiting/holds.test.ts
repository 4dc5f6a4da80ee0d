// Runs random sequences of orders, waiting list entries and limits. Compares each result with the rules of contract §12, which this test
// computes from the state before the step.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { SEED } from '../../../test/setup/sampling.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { passOnExpiredHolds } from './queries.ts';

const testApp = setupTestApp();

const CUSTOMERS = 4;
let distributor: Person;
let people: Person[];
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  people = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(testApp.db, distributor)));
});

const who = fc.nat(CUSTOMERS - 1);
const units = fc.integer({ min: 1, max: 5 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('order' as const), who, quantity: units }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('wait' as const), who, quantity: units }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('leave' as const), who }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('staff' as const), who, quantity: fc.nat(5), beyondLimits: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('limit' as const), limit: fc.option(fc.integer({ min: 1, max: 9 })) }) },
  { weight: 1, arbitrary: fc.constant({ act: 'clear' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'expire' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface State {
  readonly limit: number | null;
  /** The ordered units by customer id. */
  readonly ordered: ReadonlyMap<number, number>;
  readonly waiting: readonly { readonly customerId: number; readonly quantity: number; readonly heldQuantity: number }[];
}

const total = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);
const freeUnits = ({ limit, ordered }: State): number => (limit === null ? Infinity : Math.max(0, limit - total(ordered.values())));

/** Returns how many units are held for each entry of the waiting list. Free units go to the oldest entry first. */
function sharesOf(state: State): number[] {
  let free = freeUnits(state);
  return state.waiting.map(({ quantity }) => {
    const share = Math.min(quantity, free);
    free -= share;
    return share;
  });
}

/** Returns how many more units a customer may order: the units held for this customer, and the units for which nobody waits. */
function leftFor(state: State, customerId: number): number {
  const own = state.waiting.findIndex((entry) => entry.customerId === customerId);
  const unclaimed = Math.max(0, freeUnits(state) - total(state.waiting.map(({ quantity }) => quantity)));
  return unclaimed + (sharesOf(state)[own] ?? 0);
}

async function readState({ id }: Row<'products'>): Promise<State> {
  const { total_limit: limit } = await testApp.db
    .selectFrom('products')
    .select('total_limit')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const lines = testApp.db.selectFrom('order_products as l').innerJoin('orders as o', 'o.id', 'l.orderId').where('l.productId', '=', id);
  const ordered = await lines.select(['o.customerId', 'l.quantity']).execute();
  const list = testApp.db.selectFrom('waiting_list').select(['customerId', 'quantity', 'heldQuantity']).where('productId', '=', id);
  return { limit, ordered: new Map(ordered.map((row) => [row.customerId, row.quantity])), waiting: await list.orderBy('id').execute() };
}

/** Whether the rules allow this step in the given state. */
function isAllowed(step: Step, before: State): boolean {
  if (!('who' in step)) return true;
  const { id } = people[step.who] as Person;
  const left = leftFor(before, id);
  const isWaiting = before.waiting.some(({ customerId }) => customerId === id);
  if (step.act === 'leave') return isWaiting;
  const fitsLimit = (before.ordered.get(id) ?? 0) + ('quantity' in step ? step.quantity : 0) <= (before.limit ?? Infinity);
  if (step.act === 'wait') return !isWaiting && step.quantity > left && fitsLimit;
  const more = step.quantity - (before.ordered.get(id) ?? 0);
  return more <= 0 || more <= left || (step.act === 'staff' && step.beyondLimits);
}

async function take(step: Step, distribution: Row<'distributions'>, { id: productId }: Row<'products'>): Promise<boolean> {
  const path = `/api/distributions/${distribution.id}`;
  const send = async (by: Person, method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<boolean> => {
    const { statusCode, body } = await testApp.request(by, { method, url, ...(payload ? { payload } : {}) });
    expect([200, 201, 204, 404, 409], body).toContain(statusCode);
    return statusCode < 300;
  };
  const person = people['who' in step ? step.who : 0] as Person;
  const products = [{ productId, quantity: 'quantity' in step ? step.quantity : 0 }];
  switch (step.act) {
    case 'order':
      return await send(person, 'POST', '/api/orders', { distributionId: distribution.id, products });
    case 'staff': {
      const beyondLimits = step.beyondLimits ? [productId] : [];
      const order = { customerId: person.id, distributionId: distribution.id, products, beyondLimits };
      return await send(distributor, 'POST', '/api/distributor/order', order);
    }
    case 'wait':
      return await send(person, 'POST', `${path}/waiting`, products[0]);
    case 'leave':
      return await send(person, 'DELETE', `${path}/waiting/${productId}`);
    case 'limit':
      return await send(distributor, 'PATCH', `${path}/products/${productId}`, { total_limit: step.limit });
    case 'clear':
      return await send(distributor, 'POST', `${path}/clear-product-quantities`, { productId });
    case 'expire':
      await sql`UPDATE waiting_list SET "heldUntil" = now() WHERE "productId" = ${productId} AND "heldUntil" IS NOT NULL`.execute(
        testApp.db,
      );
      await passOnExpiredHolds(testApp.db);
      return true;
  }
}

test('in any sequence of orders, joins and limit changes, the server accepts exactly the allowed requests, and holds free units first come, first served (contract §12)', async () => {
  const sequence = fc.array(step, { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), sequence, async (total_limit, steps) => {
      const distribution = await makeDistribution(testApp.db, distributor);
      const product = await makeProduct(testApp.db, distribution, { total_limit });
      let state = await readState(product);
      for (const step of steps) {
        // Nobody can join the waiting list of a product without a limit.
        const mayHappen = isAllowed(step, state) && !(step.act === 'wait' && state.limit === null);
        expect(await take(step, distribution, product), JSON.stringify(step)).toBe(mayHappen);
        const before = state;
        state = await readState(product);
        expect(state.waiting.map(({ heldQuantity }) => heldQuantity)).toEqual(sharesOf(state));
        if (step.act === 'order')
          expect(total(state.ordered.values())).toBeLessThanOrEqual(Math.max(total(before.ordered.values()), before.limit ?? Infinity));
      }
    }),
    { numRuns: iterations(12, 300), seed: SEED },
  );
});
