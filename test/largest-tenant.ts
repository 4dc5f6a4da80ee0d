// Fills a tenant with as many rows as it may have, so that the tests find every call that blocks the event loop with so much data
// (reliability, "freeze"). When a new kind of data gets a maximum, add it here.
import { sql } from 'kysely';
import { MAX_TEXT_LENGTH } from '../src/shared/fields.ts';
import { MAX_PRODUCTS_KEPT } from '../src/features/products/contract.ts';
import { MAX_UPLOADS } from '../src/features/uploads/queries.ts';
import { makeSlot } from './data/factories.ts';
import type { LargeTenant } from './largest-bodies.ts';
import type { TestApp } from './test-app.ts';

type Filling = (testApp: TestApp, tenant: LargeTenant) => Promise<unknown>;

const CUSTOMERS = 20_000;
const ORDERS = 20_000;

/** The distribution has 10,000 products. Half of them are sold by weight. */
const products: Filling = ({ db }, { distribution }) =>
  sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, uom, unit_qty_is_estimate, product_group)
    SELECT ${distribution.distributorId}, ${distribution.id}, rpad('Further product ' || n, ${MAX_TEXT_LENGTH}::int, 'x'), 1000, 'lb', true, 'Group ' || n % 100
    FROM generate_series(1, ${MAX_PRODUCTS_KEPT}::int - (SELECT count(*)::int FROM products WHERE "distributionId" = ${distribution.id}) - 100) n`.execute(
    db,
  );

/** Each stored upload changed every product. */
const uploads: Filling = ({ db }, { distribution, people }) =>
  sql`INSERT INTO product_uploads ("distributorId", "distributionId", "updatedBy", before, changes, "startedAt", "finishedAt")
    SELECT ${distribution.distributorId}, ${distribution.id}, ${people.distributor.id}, '[]',
      (SELECT jsonb_agg(jsonb_build_object('before', to_jsonb(p), 'after', to_jsonb(p))) FROM products p WHERE p."distributionId" = ${distribution.id}),
      now(), now() FROM generate_series(1, ${MAX_UPLOADS}::int)`.execute(db);

/** Each of 20,000 further customers has a contact and an order. All orders have the same product and pick-up time. */
const orders: Filling = async ({ db }, { distribution, productIds }) => {
  const slot = await makeSlot(db, distribution, { capacity: ORDERS });
  const { distributorId, id } = distribution;
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'crowd' || ${id}::int || '-' || n || '@mail.test', 'customer', ${distributorId} FROM generate_series(1, ${CUSTOMERS}::int) n RETURNING id),
    c AS (INSERT INTO contacts ("userId", "lastName", "firstName") SELECT id, 'Name ' || id, 'Zev' FROM u),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy", "slotId")
      SELECT ${distributorId}, ${id}, id, id, ${slot.id} FROM u LIMIT ${ORDERS} RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributorId}, ${id}, id, ${productIds[0]}, 1, 1 FROM o`.execute(db);
};

/** The order of the tenant's customer contains every product that one order may contain. */
const lines: Filling = ({ db }, { distribution: { distributorId, id }, people, productIds }) =>
  sql`WITH o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      VALUES (${distributorId}, ${id}, ${people.customer.id}, ${people.customer.id})
      ON CONFLICT ("distributorId", "customerId", "distributionId") DO UPDATE SET "updatedBy" = excluded."updatedBy" RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributorId}, ${id}, o.id, p, 1, 1 FROM o, unnest(${productIds}::int[]) p ON CONFLICT DO NOTHING`.execute(db);

/**
 * The functions that fill the tenant. No function fills the tills, the waiting lists, the sequence of product groups or the stored replies
 * yet.
 */
export const FILLINGS: readonly Filling[] = [products, orders, lines, uploads];
