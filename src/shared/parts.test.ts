import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../test/factories.ts';
import { makeOrder, pay, weigh } from '../../test/order-rows.ts';
import { testWorld, type Person } from '../../test/world.ts';
import type { Row } from '../server/schema.ts';

const world = testWorld();
const FAMILIES = 1203;
const CALLS = ['customer-report', 'report', 'payments', 'actuals-report'] as const;
type CallName = (typeof CALLS)[number];

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let wine: Row<'products'>;

beforeAll(async () => {
  const { db } = world;
  distributor = await makeDistributor(db);
  distribution = await makeDistribution(db, distributor);
  brisket = await makeProduct(db, distribution, { name: 'Brisket', product_code: 101, unit_qty_is_estimate: true });
  wine = await makeProduct(db, distribution, { name: 'Wine', product_code: 102 });
  const place = [distributor.id, distribution.id] as const;
  // By name the other way round than by id; the last three have no contact, and come last.
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
        SELECT 'family' || lpad(n::text, 4, '0') || '@mail.test', 'customer', ${place[0]} FROM generate_series(1, ${FAMILIES}::int) n RETURNING id, email),
      c AS (INSERT INTO contacts ("userId", "lastName", "firstName") SELECT id, 'Name' || 9999 - substr(email, 7, 4)::int, 'Zev' FROM u
        WHERE email < 'family1201'),
      o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
        SELECT ${place[0]}, ${place[1]}, id, id FROM u ORDER BY id RETURNING id),
      l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
        SELECT ${place[0]}, ${place[1]}, o.id, p, 2, 2 FROM o, unnest(ARRAY[${brisket.id}, ${wine.id}]::int[]) p RETURNING id, "productId"),
      w AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
        SELECT id, 1, 4.5, ${place[0]} FROM l WHERE "productId" = ${brisket.id} AND id % 2 = 0)
    INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdAt", "createdBy", "updatedBy")
      SELECT ${place[0]}, ${place[1]}, id, 100, 'Cash', now() - (id * 7 % 50) * interval '1 minute', ${place[0]}, ${place[0]} FROM o`.execute(
    db,
  );
});

type Reply = readonly object[] | { readonly reportData: readonly object[]; readonly actualsData: readonly object[] };
async function ask(call: CallName, query = '', by = distributor): Promise<Reply> {
  const answer = await world.request(by, { method: 'GET', url: `/api/distributions/${distribution.id}/${call}${query}` });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return answer.json<Reply>();
}
const rowsOf = (reply: Reply): readonly object[] => ('reportData' in reply ? reply.reportData : (reply as readonly object[]));
const keyOf = (reply: Reply): string | undefined => (rowsOf(reply).at(-1) as { key?: string } | undefined)?.key;
const withoutKey = (row: object): object => ({ ...row, key: undefined });

/** Every part; `meanwhile` happens after the first one. */
async function askInParts(call: CallName, limit: number, meanwhile?: () => Promise<unknown>): Promise<Reply[]> {
  const parts = [await ask(call, `?limit=${limit}`)];
  await meanwhile?.();
  for (let key = keyOf(parts[0] ?? []); key !== undefined;) {
    const part = await ask(call, `?limit=${limit}&after=${key}`);
    parts.push(part);
    key = keyOf(part);
  }
  return parts;
}

test.each(CALLS)(
  '%s: the parts together are the whole list, in its order, and no row carries a key but the last one of a part',
  async (call) => {
    const whole = rowsOf(await ask(call));
    expect(whole).toHaveLength(call === 'report' ? 2 * FAMILIES : FAMILIES);
    expect(whole.filter((row) => 'key' in row)).toEqual([]);
    for (const limit of [250, 601, 5000]) {
      const parts = (await askInParts(call, limit)).map(rowsOf);
      expect(parts.flat().map(withoutKey)).toEqual(whole.map(withoutKey));
      expect(parts.slice(0, -1).every((part) => part.length === limit + (call === 'report' ? limit % 2 : 0))).toBe(true);
      expect(parts.flatMap((part) => part.slice(0, -1)).filter((row) => 'key' in row)).toEqual([]);
    }
  },
);

test('the customers come by name, those without one last (contract §9)', async () => {
  const rows = (await ask('customer-report')) as readonly { email: string; last_name: string | null; balance: number }[];
  const emails = rows.map((row) => row.email);
  const named = Array.from({ length: 1200 }, (_, index) => `family${String(1200 - index).padStart(4, '0')}@mail.test`);
  expect(emails).toEqual([...named, 'family1201@mail.test', 'family1202@mail.test', 'family1203@mail.test']);
});

test('a part of the weights has those of its own lines alone', async () => {
  const parts = await askInParts('actuals-report', 250);
  const ids = (rows: readonly object[]): number[] => rows.map((row) => (row as { orderProductId: number }).orderProductId);
  for (const part of parts) {
    if (!('actualsData' in part)) throw new Error('no weights');
    expect(ids(part.actualsData)).toEqual(
      ids(part.reportData)
        .filter((id) => id % 2 === 0)
        .toSorted((a, b) => a - b),
    );
  }
});

describe('while the parts are read', () => {
  test.each(CALLS)('%s: what is added leaves no gap and doubles nothing', async (call) => {
    const before = rowsOf(await ask(call)).map(withoutKey);
    const parts = await askInParts(call, 300, async () => {
      // By name before the first part, and behind the last.
      for (const lastName of ['Aaron', 'Zweig']) {
        const customer = await makeCustomer(world.db, distributor, { lastName });
        const { id, lines } = await makeOrder(world.db, distribution, customer, [[brisket, 1]]);
        await weigh(world.db, lines[0], [5], distributor);
        await pay(world.db, distribution, { orderId: id, amount: 100, by: distributor });
      }
    });
    const read = parts.flatMap(rowsOf).map((row) => JSON.stringify(withoutKey(row)));
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((row) => before.some((old) => JSON.stringify(old) === row))).toEqual(before.map((row) => JSON.stringify(row)));
  });

  test.each(['customer-report', 'actuals-report'] as const)('%s: a family that is renamed just there is not gone on from', async (call) => {
    const key = keyOf(await ask(call, '?limit=300')) ?? '';
    const userId = Number.parseInt(key, 10);
    const rename = async (lastName: string) =>
      await world.db.updateTable('contacts').set({ lastName }).where('userId', '=', userId).execute();
    const { lastName } = await world.db.selectFrom('contacts').select('lastName').where('userId', '=', userId).executeTakeFirstOrThrow();
    await rename('Abel');
    const answer = await world.request(distributor, {
      method: 'GET',
      url: `/api/distributions/${distribution.id}/${call}?limit=300&after=${key}`,
    });
    expect([answer.statusCode, answer.body]).toEqual([409, 'Somebody was renamed while the list was read. Please read it again.']);
    await rename(lastName);
  });
});

test('an agent reads the customers in parts, and no part has anybody of another distributor', async () => {
  const agent = await makeAgent(world.db, distributor);
  expect(await ask('customer-report', '?limit=2', agent)).toHaveLength(2);
  const stranger = await makeDistributor(world.db);
  const elsewhere = await makeDistribution(world.db, stranger);
  await makeOrder(world.db, elsewhere, await makeCustomer(world.db, stranger), [[await makeProduct(world.db, elsewhere), 1]]);
  const key = keyOf(await ask('customer-report', '?limit=2')) ?? '';
  for (const [call, after, status] of [
    ['customer-report', key, 409],
    ['actuals-report', key, 409],
    ['payments', '1', 200],
    ['report', '0', 200],
  ] as const) {
    const answer = await world.request(stranger, { method: 'GET', url: `/api/distributions/${elsewhere.id}/${call}?after=${after}` });
    expect([call, answer.statusCode]).toEqual([call, status]);
  }
});

test.each([
  ['limit=0', 'limit must be a whole number between 1 and 5000'],
  ['limit=5001', 'limit must be a whole number between 1 and 5000'],
  ['limit=ten', 'limit must be a whole number between 1 and 5000'],
  ['limit=1&limit=2', 'limit must be a whole number between 1 and 5000'],
  ['after=x', 'after must be the key of a row'],
  ['after=9999999999', 'after must be the key of a row'],
  ['after=7.12', 'after must be the key of a row'],
])('?%s is refused with a sentence', async (query, sentence) => {
  for (const call of CALLS) {
    const answer = await world.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/${call}?${query}` });
    expect([answer.statusCode, answer.body]).toEqual([400, sentence]);
  }
});
