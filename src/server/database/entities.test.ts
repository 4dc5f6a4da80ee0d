import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from './db.ts';

const testApp = setupTestApp();

const ENTITIES = [
  ['users', 'id email password role distributorId loginAttempts lockedUntil resetPasswordToken resetPasswordExpires lastLoginAt'],
  ['contacts', 'id userId firstName lastName address city state zip phone'],
  ['distributions', 'id distributorId name date published acceptActuals orderingOpen'],
  ['fees', 'id distributionId name type sort_order amount'],
  ['products', 'id distributionId name description unit_price unit_qty uom unit_qty_is_estimate max_order_qty product_group product_code'],
  ['orders', 'id customerId distributionId'],
  ['order_products', 'id orderId productId quantity originalQuantity'],
  ['order_product_audit', 'id orderProductId quantity updatedAt updatedBy'],
  ['payments', 'id orderId amount paymentMethod description feeAmount createdAt createdBy updatedAt updatedBy'],
  ['actual_quantities', 'id orderProductId sortOrder actualQuantity'],
  ['emails', 'id from to subject html response sentAt success'],
  ['session_store', 'sid sess expire'],
] as const;

const DEFAULTS: Record<string, string> = {
  'users loginAttempts': '0',
  'distributions published': 'false',
  'distributions acceptActuals': 'false',
  'distributions orderingOpen': 'true',
  'products unit_qty': '1',
  'products unit_qty_is_estimate': 'false',
  'products max_order_qty': '0',
  'emails success': 'false',
};
const INTEGERS = [
  'unit_price',
  'unit_qty',
  'max_order_qty',
  'product_code',
  'amount',
  'feeAmount',
  'quantity',
  'originalQuantity',
  'sortOrder',
];

describe('every entity has its fields with their defaults (spec §3)', () => {
  test.each(ENTITIES)('in the table %s', async (table, fields) => {
    const { rows } = await sql<{ name: string; type: string; preset: string | null }>`
      SELECT column_name AS name, data_type AS type, column_default AS preset FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ${table}`.execute(testApp.db);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(fields.split(' ')));
    for (const { name, type, preset } of rows) {
      const expected = DEFAULTS[`${table} ${name}`];
      if (expected !== undefined) expect([name, preset]).toEqual([name, expected]);
      if (INTEGERS.includes(name)) expect([name, type]).toEqual([name, 'integer']);
    }
  });
});

let distributor: Person;
let customer: Person;
let ids: Record<string, number>;
beforeAll(async () => {
  const { db } = testApp;
  distributor = await makeDistributor(db);
  customer = await makeCustomer(db, distributor);
  const distribution = await makeDistribution(db, distributor);
  const product = await makeProduct(db, distribution, { unit_qty_is_estimate: true });
  const fee = await makeFee(db, distribution);
  const order = await makeOrder(db, distribution, customer, [[product, 1]]);
  await weigh(db, order.lines[0], [1], distributor);
  const payment = await pay(db, distribution, { orderId: order.id, amount: 1, by: distributor });
  const actual = await db.selectFrom('actual_quantities').select('id').executeTakeFirstOrThrow();
  ids = { users: customer.id, products: product.id, fees: fee.id, order_products: order.lines[0]?.id ?? 0, payments: payment };
  ids['actual_quantities'] = actual.id;
});

const refusal = async (statement: string): Promise<string> =>
  await run(testApp.db, statement, []).then(
    () => 'was taken',
    (error: { constraint?: string; code?: string }) => error.code ?? 'another error',
  );
const CHECK = '23514';
const UNIQUE = '23505';
const MISSING = '23503';

describe('constraints of the database (spec §3, §5; contract §5)', () => {
  test.each([
    ['users', `role = 'cook'`],
    ['users', `email = 'Rivka@Test.example'`],
    ['fees', `type = 'share'`],
    ['fees', 'sort_order = -1'],
    ['fees', 'amount = -1'],
    ['products', 'unit_price = -1'],
    ['products', 'unit_qty = 0'],
    ['products', 'max_order_qty = -1'],
    ['order_products', 'quantity = -1'],
    ['payments', `"paymentMethod" = 'Barter'`],
    ['payments', `"paymentMethod" = 'Check', description = ' '`],
    ['payments', '"feeAmount" = 1'],
    ['payments', `"feeAmount" = -1, "paymentMethod" = 'Credit Card', description = 'Visa'`],
    ['payments', 'amount = -1'],
    ['actual_quantities', '"sortOrder" = -1'],
    ['actual_quantities', '"actualQuantity" = -0.001'],
  ])('do not allow a row of the table %s with %s', async (table, change) => {
    expect(await refusal(`UPDATE ${table} SET ${change} WHERE id = ${ids[table]}`)).toBe(CHECK);
  });

  test.each(['Cash', 'Credit Card', 'Check', 'Other'])('accept a payment with the method %s', async (method) => {
    const change = `"paymentMethod" = '${method}', description = 'No. 12'`;
    expect(await refusal(`UPDATE payments SET ${change} WHERE id = ${ids['payments']}`)).toBe('was taken');
  });

  test.each(['admin', 'distributor', 'agent', 'customer'] as const)('accept a user with the role %s', async (role) => {
    const belongs = role === 'agent' || role === 'customer' ? { distributorId: distributor.id } : {};
    expect((await makeUser(testApp.db, role, belongs)).role).toBe(role);
  });

  test.each([
    ['one account for an e-mail', () => `INSERT INTO users (email, role) VALUES ('${customer.email}', 'admin')`],
    ['one contact for a user', () => `INSERT INTO contacts ("userId") VALUES (${customer.id})`],
    [
      'one order for a customer in a distribution',
      () => `INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
        SELECT "distributorId", "distributionId", "customerId", "updatedBy" FROM orders`,
    ],
    [
      'one line for a product in an order',
      () => `INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
        SELECT "distributorId", "distributionId", "orderId", "productId", 1, 1 FROM order_products`,
    ],
  ])('accept only %s', async (_, statement) => {
    expect(await refusal(statement())).toBe(UNIQUE);
  });

  test('accept one reversal per payment, for the same order (contract §7)', async () => {
    const { db } = testApp;
    const distribution = await makeDistribution(db, distributor);
    const orders = [customer, await makeCustomer(db, distributor)].map((one) => makeOrder(db, distribution, one, []));
    const [own, other] = (await Promise.all(orders)).map((order) => order.id);
    const payment = await pay(db, distribution, { orderId: own ?? 0, amount: 100, by: distributor });
    const reversal = (orderId: number | undefined) => `INSERT INTO payments
      ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy", "reversesId")
      VALUES (${distributor.id}, ${distribution.id}, ${orderId}, -100, 'Cash', ${distributor.id}, ${distributor.id}, ${payment})`;
    expect(await refusal(reversal(other))).toBe(MISSING);
    expect(await refusal(reversal(own))).toBe('was taken');
    expect(await refusal(reversal(own))).toBe(UNIQUE);
  });

  test('require that distributorId is the id of an existing user', async () => {
    expect(await refusal(`UPDATE users SET "distributorId" = 2000000000 WHERE id = ${customer.id}`)).toBe(MISSING);
    expect(await refusal(`INSERT INTO distributions ("distributorId", name, date) VALUES (2000000000, 'x', '2027-04-15')`)).toBe(MISSING);
  });
});
