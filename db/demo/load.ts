// Inserts the demo's data into an empty database, once and in one transaction.
import type { Role } from '../../src/domain/accounts/roles.ts';
import { accountsOfOrders } from '../../src/features/payments/queries.ts';
import { saveOrganizationOf } from '../../src/features/organization/queries.ts';
import { saveRehearsal } from '../../src/features/rehearsals/queries.ts';
import type { Viewer } from '../../src/server/auth/session.ts';
import { run, transaction, type Db } from '../../src/server/database/db.ts';
import type { Row } from '../../src/server/database/schema.ts';
import { hashPassword } from '../../src/server/auth/password.ts';
import { CATALOGUE } from './catalogue.ts';
import { DISTRIBUTIONS, REHEARSED, type DemoDistribution } from './distributions.ts';
import { actualWeight, demoOrders, type DemoOrder } from './orders.ts';
import { ADMIN, AGENTS, CUSTOMERS, DISTRIBUTOR, type Person } from './people.ts';
import { insertPickUpDay } from './pick-up-day.ts';
import { insertPictures } from './pictures.ts';

export const DEMO_PASSWORD = 'Holiday2027';
export const DEMO_SIGN_INS: Readonly<Record<Role, string>> = {
  admin: ADMIN.email,
  distributor: DISTRIBUTOR.email,
  agent: AGENTS[0]?.email ?? '',
  customer: CUSTOMERS[0]?.email ?? '',
};

type Ids = { id: number }[];

export async function insertPeople(
  db: Db,
  role: Role,
  distributorId: number | null,
  people: readonly { email: string }[],
): Promise<number[]> {
  const password = await hashPassword(DEMO_PASSWORD);
  const text = `INSERT INTO users (email, password, role, "distributorId", "lastLoginAt")
    SELECT email, $2, $3, $4, now() - interval '1 day' FROM unnest($1::text[]) email RETURNING id`;
  return (await run<Ids[number]>(db, text, [people.map((person) => person.email), password, role, distributorId])).map((row) => row.id);
}

export async function insertContacts(db: Db, userIds: readonly number[], people: readonly Person[]): Promise<void> {
  const rows = people.map((person, index) => ({ ...person, userId: userIds[index] }));
  const text = `INSERT INTO contacts ("userId", "firstName", "lastName", address, city, state, zip, phone)
    SELECT "userId", "firstName", "lastName", address, city, state, zip, phone
    FROM jsonb_to_recordset($1) AS c ("userId" int, "firstName" text, "lastName" text, address text, city text, state text, zip text, phone text)`;
  await run(db, text, [JSON.stringify(rows)]);
}

interface Placed {
  id: number;
  customerId: number;
}
interface PlacedLine {
  id: number;
  orderId: number;
  quantity: number;
  unit_qty: number;
  unit_qty_is_estimate: boolean;
}

async function insertOrders(db: Db, place: { distributorId: number; id: number }, orders: readonly DemoOrder[]): Promise<PlacedLine[]> {
  const placed = await run<Placed>(
    db,
    `INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT $1, $2, c, c FROM unnest($3::int[]) c
     RETURNING id, "customerId"`,
    [place.distributorId, place.id, orders.map((order) => order.customerId)],
  );
  const orderId = new Map(placed.map((order) => [order.customerId, order.id]));
  const lines = orders.flatMap((order) => order.products.map((line) => ({ ...line, orderId: orderId.get(order.customerId) })));
  return await run<PlacedLine>(
    db,
    `WITH l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
       SELECT $1, $2, "orderId", "productId", quantity, quantity
       FROM jsonb_to_recordset($3) AS v ("orderId" int, "productId" int, quantity int) RETURNING *),
     a AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
       SELECT l.id, l.quantity, o."customerId" FROM l JOIN unnest($4::int[], $5::int[]) o (id, "customerId") ON o.id = l."orderId")
     SELECT l.id, l."orderId", l.quantity, p.unit_qty, p.unit_qty_is_estimate FROM l JOIN products p ON p.id = l."productId"`,
    [place.distributorId, place.id, JSON.stringify(lines), placed.map((order) => order.id), placed.map((order) => order.customerId)],
  );
}

async function insertWeights(db: Db, by: number, lines: readonly PlacedLine[], share: number): Promise<void> {
  const orderIds = [...new Set(lines.map((line) => line.orderId))];
  const weighed = new Set(orderIds.slice(0, Math.round(orderIds.length * share)));
  const units = lines
    .filter((line) => line.unit_qty_is_estimate && weighed.has(line.orderId))
    .flatMap(({ id, quantity, unit_qty }) =>
      Array.from({ length: quantity }, (_, index) => ({ id, index, actual: actualWeight(unit_qty, id * 100 + index) / 1000 })),
    );
  await run(
    db,
    `INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
     SELECT id, index, actual, $2 FROM jsonb_to_recordset($1) AS u (id int, index int, actual numeric)`,
    [JSON.stringify(units), by],
  );
}

/** Records a payment of the whole balance, in cash or by check, for the given share of the weighed orders. */
async function insertPayments(db: Db, place: { distributorId: number; id: number }, share: number): Promise<void> {
  const orders = await run<{ id: number }>(db, 'SELECT id FROM orders WHERE "distributionId" = $1 ORDER BY id', [place.id]);
  const ids = orders.map(({ id }) => id);
  const accounts = await accountsOfOrders(db, place.distributorId, ids);
  const due = accounts.filter((account) => account.has_all_actuals && account.balance > 0);
  const paid = due.slice(0, Math.round(due.length * share));
  await run(
    db,
    `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", description, "createdBy", "updatedBy")
     SELECT $1, $2, id, amount, CASE WHEN id % 3 = 0 THEN 'Check' ELSE 'Cash' END, CASE WHEN id % 3 = 0 THEN 'Check ' || (1000 + id) END, $1, $1
     FROM unnest($3::int[], $4::int[]) AS p (id, amount)`,
    [place.distributorId, place.id, paid.map((account) => account.id), paid.map((account) => account.balance)],
  );
}

/** Inserts a distribution with the orders of the given customers; returns its id. */
export async function insertDistribution(
  db: Db,
  distributorId: number,
  customerIds: readonly number[],
  demo: DemoDistribution,
): Promise<number> {
  const { name, date, published, orderingOpen, acceptActuals } = demo;
  const [distribution] = await run<Ids[number]>(
    db,
    `INSERT INTO distributions ("distributorId", name, date, published, "orderingOpen", "acceptActuals") VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [distributorId, name, date, published, orderingOpen, acceptActuals],
  );
  const place = { distributorId, id: distribution?.id ?? 0 };
  await run(
    db,
    `INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount)
     SELECT $1, $2, name, type, sort_order, amount FROM jsonb_to_recordset($3) AS f (name text, type text, sort_order int, amount int)`,
    [distributorId, place.id, JSON.stringify(demo.fees)],
  );
  const products = await run<{ id: number; name: string; max_order_qty: number }>(
    db,
    `INSERT INTO products ("distributorId", "distributionId", name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code)
     SELECT $1, $2, name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code
     FROM jsonb_to_recordset($3) AS p (name text, description text, unit_price int, unit_qty int, uom text, unit_qty_is_estimate boolean, max_order_qty int, product_group text, product_code int)
     RETURNING id, name, max_order_qty`,
    [distributorId, place.id, JSON.stringify(demo.catalogue ?? CATALOGUE)],
  );
  const lines = await insertOrders(db, place, demoOrders({ products, customerIds, share: demo.share, seed: demo.seed }));
  await insertWeights(db, distributorId, lines, demo.weighed);
  await insertPayments(db, place, demo.paid);
  return place.id;
}

/** Starts a rehearsal of a distribution, as its distributor would do in the browser. */
export async function startRehearsalOf(
  db: Db,
  distributor: { readonly id: number; readonly email: string },
  name: string,
): Promise<number> {
  const [original] = await run<Row<'distributions'>>(db, 'SELECT * FROM distributions WHERE "distributorId" = $1 AND name = $2', [
    distributor.id,
    name,
  ]);
  if (!original) throw new Error(`there is no distribution ${name}`);
  const nothingElse = { distributorId: null, mayTakePayments: false, mustAddSecondFactor: false, hasJoined: false };
  const signedInAt = new Date().toISOString();
  const { id, email } = distributor;
  const by: Viewer = { userId: id, tenantId: id, email, role: 'distributor', signedInAt, ...nothingElse };
  return (await saveRehearsal(db, by, original)).id;
}

/** Inserts the demo's data, unless the database already contains an account. */
export async function loadDemo(db: Db): Promise<void> {
  await transaction(db, async (db) => {
    if ((await run(db, 'SELECT 1 FROM users LIMIT 1', [])).length > 0) return;
    await insertPeople(db, 'admin', null, [ADMIN]);
    const [distributorId = 0] = await insertPeople(db, 'distributor', null, [DISTRIBUTOR]);
    const { email: _, ...organization } = DISTRIBUTOR;
    await saveOrganizationOf(db, distributorId, organization);
    await insertPictures(db, distributorId);
    const agentIds = await insertPeople(db, 'agent', distributorId, AGENTS);
    await insertContacts(db, agentIds, AGENTS);
    const customerIds = await insertPeople(db, 'customer', distributorId, CUSTOMERS);
    await insertContacts(db, customerIds, CUSTOMERS);
    for (const demo of DISTRIBUTIONS) {
      // The first customer gets no order in the open distribution. The demo prints this customer's sign-in data, so that whoever tries the
      // demo can place an order.
      const id = await insertDistribution(db, distributorId, demo.orderingOpen ? customerIds.slice(1) : customerIds, demo);
      if (demo.acceptActuals) await insertPickUpDay(db, { distributorId, id }, agentIds);
    }
    await startRehearsalOf(db, { id: distributorId, email: DISTRIBUTOR.email }, REHEARSED);
  });
  await run(db, 'ANALYZE', []);
}
