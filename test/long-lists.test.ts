// @module-tag long
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../src/api.ts';
import type { Row } from '../src/server/database/schema.ts';
import { PageQuery } from '../src/shared/pages.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder, pay, weigh } from './data/order-rows.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
const FAMILIES = 1203;
const CALLS = ['customer-report', 'report', 'payments', 'actuals-report', 'counter-orders'] as const;
type CallName = (typeof CALLS)[number];

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeAll(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  distribution = await makeDistribution(db, distributor, { acceptActuals: true });
  brisket = await makeProduct(db, distribution, { name: 'Brisket', product_code: 101, unit_qty_is_estimate: true });
  wine = await makeProduct(db, distribution, { name: 'Wine', product_code: 102 });
  const place = [distributor.id, distribution.id] as const;
  // Sorting these customers by name gives the reverse order of sorting them by id. The three customers with the highest ids have no contact
  // and therefore no name.
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
        SELECT 'family' || lpad(n::text, 4, '0') || '@mail.test', 'customer', ${place[0]} FROM generate_series(1, ${FAMILIES}::int) n RETURNING id, email),
      c AS (INSERT INTO contacts ("userId", "lastName", "firstName") SELECT id, 'Name' || 9999 - substr(email, 7, 4)::int, 'Zev' FROM u
        WHERE email < 'family1201'),
      o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
        SELECT ${place[0]}, ${place[1]}, id, id FROM u ORDER BY id RETURNING id),
      l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
        SELECT ${place[0]}, ${place[1]}, o.id, p, 2, 2 FROM o, unnest(ARRAY[${brisket.id}, ${wine.id}]::int[]) p RETURNING id, "orderId", "productId"),
      w AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
        SELECT id, 1, 4.5, ${place[0]} FROM l WHERE "productId" = ${brisket.id} AND "orderId" % 2 = 0)
    INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdAt", "createdBy", "updatedBy")
      SELECT ${place[0]}, ${place[1]}, id, 100, 'Cash', now() - (id * 7 % 50) * interval '1 minute', ${place[0]}, ${place[0]} FROM o`.execute(
    db,
  );
});

type Reply = readonly object[] | { readonly reportData: readonly object[]; readonly actualsData: readonly object[] };
async function ask(call: CallName, query = '', by = distributor): Promise<Reply> {
  const answer = await testApp.request(by, { method: 'GET', url: `/api/distributions/${distribution.id}/${call}${query}` });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return answer.json<Reply>();
}
const rowsOf = (reply: Reply): readonly object[] => ('reportData' in reply ? reply.reportData : (reply as readonly object[]));
const keyOf = (reply: Reply): string | undefined => (rowsOf(reply).at(-1) as { key?: string } | undefined)?.key;
const withoutKey = (row: object): object => ({ ...row, key: undefined });

/** Reads all pages of a list, one after the other. After the first page, it runs `meanwhile`. */
async function readByPages(call: CallName, limit: number, meanwhile?: () => Promise<unknown>): Promise<Reply[]> {
  const parts = [await ask(call, `?limit=${limit}`)];
  await meanwhile?.();
  for (let key = keyOf(parts[0] ?? []); key !== undefined;) {
    const part = await ask(call, `?limit=${limit}&after=${key}`);
    parts.push(part);
    key = keyOf(part);
  }
  return parts;
}

/** Returns the id of the customer, order or payment to which a row belongs. Several rows may belong to one order. */
const idOf = (row: object): number => {
  const known = row as { customer_id?: number; orderId?: number; id?: number; payments?: { id: number } };
  return known.customer_id ?? known.orderId ?? known.id ?? known.payments?.id ?? 0;
};

test.each(CALLS)(
  'the list %s: all pages together contain the whole list, and only the last row of a page has the key of the next page',
  async (call) => {
    const whole = rowsOf(await ask(call));
    expect(whole).toHaveLength(call === 'report' ? 2 * FAMILIES : FAMILIES);
    expect(whole.filter((row) => 'key' in row)).toEqual([]);
    for (const limit of [250, 601, 5000]) {
      const parts = (await readByPages(call, limit)).map(rowsOf);
      expect(parts.flat().map(withoutKey)).toEqual(whole.map(withoutKey));
      expect(parts.slice(0, -1).every((part) => part.length === limit + (call === 'report' ? limit % 2 : 0))).toBe(true);
      expect(parts.flatMap((part) => part.slice(0, -1)).filter((row) => 'key' in row)).toEqual([]);
    }
  },
);

test.each(CALLS)(
  'the list %s: a request with only the key of the previous page returns at most 5,000 rows after that page',
  async (call) => {
    const key = keyOf(await ask(call, '?limit=1000')) ?? '';
    const rows = await ask(call, `?after=${key}`);
    expect(rows).toEqual(await ask(call, `?after=${key}&limit=5000`));
    expect(rowsOf(rows)).toHaveLength(call === 'report' ? 2 * FAMILIES - 1000 : FAMILIES - 1000);
  },
);

test('every list that grows with the number of orders can be read in pages, and the tests of this file cover all such lists', () => {
  const long = routes.map(({ endpoint }) => endpoint).filter(({ isLong }) => isLong);
  const takingParts = routes.map(({ endpoint }) => endpoint).filter(({ query }) => query === PageQuery);
  expect(long.map(({ path }) => path).toSorted()).toEqual(CALLS.map((call) => `/api/distributions/:id/${call}`).toSorted());
  expect(takingParts).toEqual(expect.arrayContaining(long));
});

test.each(['customer-report', 'report', 'actuals-report', 'counter-orders'] as const)(
  'the list %s is sorted by id, because ids never change',
  async (call) => {
    const ids = rowsOf(await ask(call)).map(idOf);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  },
);

test('a page of the actuals report contains only the weights of the lines on that page', async () => {
  const parts = await readByPages('actuals-report', 250);
  const lineIds = (rows: readonly object[]): number[] => rows.map((row) => (row as { orderProductId: number }).orderProductId);
  expect(parts).toHaveLength(5);
  for (const part of parts) {
    if (!('actualsData' in part)) throw new Error('no weights');
    const weighed = lineIds(part.reportData.filter((row) => idOf(row) % 2 === 0)).toSorted((a, b) => a - b);
    expect([weighed.length, part.reportData.length - weighed.length].map((count) => count >= 100)).toEqual([true, true]);
    expect(lineIds(part.actualsData)).toEqual(weighed);
  }
});

describe('changes while a client reads a list page by page', () => {
  test.each(CALLS)('in the list %s: an added row causes no missing and no repeated row', async (call) => {
    const whole = rowsOf(await ask(call));
    const before = whole.map((row) => JSON.stringify(withoutKey(row)));
    const parts = await readByPages(call, 300, async () => {
      // The two new customers would be the first and the last one in a list sorted by name. The first one would move all following rows.
      for (const lastName of ['Aaron', 'Zweig']) {
        const customer = await makeCustomer(testApp.db, distributor, { lastName });
        const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
        await weigh(testApp.db, lines[0], [5], distributor);
        await pay(testApp.db, distribution, { orderId: id, amount: 100, by: distributor });
      }
    });
    const read = parts.flatMap(rowsOf).map((row) => JSON.stringify(withoutKey(row)));
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((row) => before.includes(row))).toEqual(before);
  });

  test.each(['customer-report', 'actuals-report'] as const)(
    'in the list %s: a renamed customer is neither skipped nor repeated',
    async (call) => {
      const before = rowsOf(await ask(call)).map(idOf);
      const emails = ['family0001', 'family0300', 'family0301', 'family0900', 'family1200'].map((name) => `${name}@mail.test`);
      const names = sql`FROM users u WHERE u.id = "userId" AND u."distributorId" = ${distributor.id} AND u.email = ANY(${emails})`;
      // In a list sorted by name, some of these customers would move from the first page to a later page, and others in the other direction.
      const renamed = sql`CASE WHEN u.email < 'family06' THEN 'Aaa' ELSE 'Zzz' END || "lastName"`;
      const parts = await readByPages(
        call,
        300,
        async () => await sql`UPDATE contacts SET "lastName" = ${renamed} ${names}`.execute(testApp.db),
      );
      await sql`UPDATE contacts SET "lastName" = right("lastName", 8) ${names}`.execute(testApp.db);
      const read = parts.flatMap(rowsOf).map(idOf);
      expect(read).toEqual(before.toSorted((a, b) => a - b));
    },
  );
});

/** Creates another distributor with one customer. This customer has ordered one product, which is weighed, and has paid. */
async function makeStranger() {
  const { db } = testApp;
  const stranger = await makeDistributor(db);
  const elsewhere = await makeDistribution(db, stranger, { acceptActuals: true });
  const customer = await makeCustomer(db, stranger);
  const product = await makeProduct(db, elsewhere, { unit_qty_is_estimate: true });
  const order = await makeOrder(db, elsewhere, customer, [[product, 1]]);
  await weigh(db, order.lines[0], [5], stranger);
  await pay(db, elsewhere, { orderId: order.id, amount: 100, by: stranger });
  const get = async (call: CallName, query: string) =>
    await testApp.request(stranger, { method: 'GET', url: `/api/distributions/${elsewhere.id}/${call}${query}` });
  return { emails: [customer.email, stranger.email], lineId: order.lines[0]?.id, get };
}

test("no page contains another distributor's rows, even when the request has a key of that distributor", async () => {
  const { emails, lineId, get } = await makeStranger();
  for (const call of CALLS) {
    const key = keyOf(await ask(call, '?limit=2')) ?? '';
    for (const query of ['', '?limit=5000', '?limit=1', `?after=${key}`, `?limit=2&after=${key}`]) {
      const answer = await get(call, query);
      const isForeign = call === 'payments' && query.includes('after');
      expect([call, query, answer.statusCode]).toEqual([call, query, isForeign ? 400 : 200]);
      if (isForeign) expect(answer.body).toBe('after must be the key of a row');
      else expect(rowsOf(answer.json<Reply>())).toHaveLength(1);
      expect((answer.body.match(/[\w.]+@[\w.]+/g) ?? []).filter((found) => !emails.includes(found))).toEqual([]);
      if (call === 'actuals-report') expect(answer.json()).toMatchObject({ actualsData: [{ orderProductId: lineId }] });
    }
  }
});

test('a page key with the id of an unknown payment is refused', async () => {
  const answer = await testApp.request(distributor, {
    method: 'GET',
    url: `/api/distributions/${distribution.id}/payments?after=2147483647`,
  });
  expect([answer.statusCode, answer.body]).toEqual([400, 'after must be the key of a row']);
});

test('an agent reads the customers page by page (contract §2)', async () => {
  expect(await ask('customer-report', '?limit=2', await makeAgent(testApp.db, distributor))).toHaveLength(2);
});

test.each([
  ['limit=0', 'limit must be a whole number between 1 and 5000'],
  ['limit=5001', 'limit must be a whole number between 1 and 5000'],
  ['limit=ten', 'limit must be a whole number between 1 and 5000'],
  ['limit=1&limit=2', 'limit must be a whole number between 1 and 5000'],
  ['after=x', 'after must be the key of a row'],
  ['after=9999999999', 'after must be the key of a row'],
  ['after=12.deadbeef', 'after must be the key of a row'],
])('a request for a page with the invalid query string ?%s is refused with an error message', async (query, sentence) => {
  for (const call of CALLS) {
    const answer = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/${call}?${query}` });
    expect([answer.statusCode, answer.body]).toEqual([400, sentence]);
  }
});
