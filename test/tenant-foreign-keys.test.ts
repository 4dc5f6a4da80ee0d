// These tests check that the database itself refuses a row of one distributor that refers to a row of another distributor (decision 5).
import { sql } from 'kysely';
import { run, transaction } from '../src/server/database/db.ts';
import { beforeAll, expect, test } from 'vitest';
import { makeTenant, type Tenant } from './calls.ts';
import { weigh } from './data/order-rows.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
let own: Tenant;
let other: Tenant;
beforeAll(async () => {
  [own, other] = [await makeTenant(testApp.db, 'Own'), await makeTenant(testApp.db, 'Other')];
  for (const { people, distribution, fee, paid, weighedLineId, tillId } of [own, other]) {
    const by = { distributorId: people.distributor.id, distributionId: distribution.id, updatedBy: people.distributor.id };
    const line = await testApp.db.selectFrom('order_products').selectAll().where('id', '=', weighedLineId).executeTakeFirstOrThrow();
    await weigh(testApp.db, line, [4.87], people.agent);
    await testApp.db
      .insertInto('catalogue_audit')
      .values({ ...by, feeId: fee.id, name: 'Delivery' })
      .execute();
    await testApp.db
      .insertInto('distribution_audit')
      .values({ ...by, after: '{}' })
      .execute();
    await testApp.db
      .insertInto('user_audit')
      .values({ distributorId: people.distributor.id, userId: people.customer.id, act: 'unlock', updatedBy: people.distributor.id })
      .execute();
    await testApp.db
      .insertInto('contact_audit')
      .values({
        distributorId: people.distributor.id,
        userId: people.customer.id,
        before: '{}',
        after: '{}',
        updatedBy: people.distributor.id,
      })
      .execute();
    const { orderId } = line;
    await testApp.db
      .insertInto('order_audit')
      .values({ ...by, orderId, before: '{}', after: '{}' })
      .execute();
    const { updatedBy: _, ...ofDistribution } = by;
    const slot = await testApp.db
      .insertInto('slots')
      .values({ ...ofDistribution, label: 'Morning', startsAt: '2027-04-22T08:00:00.000Z', capacity: 10 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db.updateTable('orders').set({ slotId: slot.id }).where('id', '=', orderId).execute();
    await testApp.db
      .insertInto('waiting_list')
      .values({ ...ofDistribution, productId: line.productId, customerId: people.customer.id, quantity: 1 })
      .execute();
    await testApp.db.updateTable('payments').set({ tillId }).where('id', '=', paid.paymentId).execute();
    await testApp.db
      .insertInto('emails')
      .values({ ...ofDistribution, kind: 'reminder', userId: people.customer.id, from: '', to: '', subject: '', html: '' })
      .execute();
    // The test creates no reversal for the other tenant. A reference to its reversed payment would also violate another rule: a payment may
    // be reversed only once.
    if (people === other.people) continue;
    const reversal = { orderId: paid.orderId, amount: -100 as never, paymentMethod: 'Cash' as const, createdBy: people.distributor.id };
    await testApp.db
      .insertInto('payments')
      .values({ ...by, ...reversal, reversesId: paid.paymentId })
      .execute();
  }
});

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly columns: string[];
  readonly target: string;
  readonly targets: string[];
}
const KEYS = sql<ForeignKey>`SELECT c.conname AS name, c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS target,
    array(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (num, ord)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num ORDER BY k.ord) AS columns,
    array(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (num, ord)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num ORDER BY k.ord) AS targets
  FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace ORDER BY 2, 1`;

const quoted = (name: string): string => `"${name}"`;

/**
 * Tries to change a row so that it refers to a row of the other tenant, and returns the SQLSTATE of the error. Nothing is changed in the
 * end, because the transaction is rolled back.
 */
async function refusalOf({ table, columns, target, targets }: ForeignKey, moved: 'the row' | 'the tenant'): Promise<string> {
  const [mine, theirs] = [own.people.distributor.id, other.people.distributor.id];
  const of = (distributorId: number) =>
    `"distributorId" = ${distributorId} AND ${columns.map((name) => `${quoted(name)} IS NOT NULL`).join(' AND ')}`;
  const [last = '', lastTarget = ''] = [columns.at(-1), targets.at(-1)];
  const change =
    moved === 'the tenant'
      ? `"distributorId" = ${theirs}`
      : `${quoted(last)} = (SELECT ${quoted(lastTarget)} FROM ${target} WHERE "distributorId" = ${theirs} ORDER BY 1 LIMIT 1)`;
  const text = `UPDATE ${table} SET ${change} WHERE ctid = (SELECT min(ctid) FROM ${table} WHERE ${of(mine)})`;
  try {
    return await transaction(testApp.db, async (db) => {
      const changed = await run(db, `${text} RETURNING 1`, []);
      throw new Error(`${changed.length} rows were changed: ${text}`);
    });
  } catch (error) {
    return 'code' in (error as object) ? String((error as { code: unknown }).code) : String(error);
  }
}

const FOREIGN_KEY_VIOLATION = '23503';

test('every foreign key that includes distributorId refuses a row that refers to another distributor’s row', async () => {
  const { rows } = await KEYS.execute(testApp.db);
  const ofTenant = rows.filter(({ columns }) => columns.includes('distributorId') && columns.length > 1);
  const tables = new Set(ofTenant.map(({ table }) => table));
  for (const table of [
    'fees',
    'products',
    'orders',
    'order_products',
    'payments',
    'tills',
    'catalogue_audit',
    'distribution_audit',
    'user_audit',
    'contact_audit',
    'order_audit',
    'slots',
    'waiting_list',
  ])
    expect(tables).toContain(table);
  for (const key of ofTenant) {
    for (const moved of ['the row', 'the tenant'] as const)
      expect([key.table, key.name, moved, await refusalOf(key, moved)]).toEqual([key.table, key.name, moved, FOREIGN_KEY_VIOLATION]);
  }
});

test('every table without a foreign key that includes distributorId belongs to one row of a tenant, or to no tenant', async () => {
  const { rows } = await KEYS.execute(testApp.db);
  const withTenantKey = new Set(
    rows.filter(({ columns }) => columns.includes('distributorId') && columns.length > 1).map(({ table }) => table),
  );
  const { rows: all } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' ORDER BY 1`.execute(testApp.db);
  const WHY = {
    actual_quantities: 'of one order line',
    actual_quantity_audit: 'of one order line',
    order_product_audit: 'of one order line',
    contacts: 'of one person',
    session_store: 'of one person',
    devices: 'of one person',
    replaced_links: 'of one person',
    passkeys: 'of one person',
    code_apps: 'of one person',
    recovery_codes: 'of one person',
    pending_sign_ins: 'of one person',
    second_factor_setups: 'of one person',
    idempotency_keys: 'of one person',
    saved_rows: 'of one person',
    users: 'the tenant itself, and its people',
    distributions: 'of one distributor',
    customer_uploads: 'of one distributor',
    product_upload_writes: 'of one upload',
    organizations: 'of one distributor',
    distributor_audit: 'of one distributor, for admins',
    product_images: 'of one distributor',
    join_requests: 'of one distributor',
    join_networks: 'of one distributor',
    unsubscriptions: 'of one distributor',
    former_unsubscribe_links: 'of one distributor',
    erased_recipients: 'of one mail, which is a log',
    emails: 'a log: of one person, where it is of anybody',
    unknown_sign_ins: 'of nobody',
    sign_in_addresses: 'of nobody',
    network_attempts: 'of nobody',
    reset_networks: 'of nobody',
    migrations: 'of nobody',
    last_backup: 'of nobody',
  };
  const left = all.map(({ name }) => name).filter((name) => !withTenantKey.has(name));
  expect(left.filter((name) => !(name in WHY))).toEqual([]);
});
