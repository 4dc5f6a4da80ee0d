import { sql } from 'kysely';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';

const world = setupTestApp();

/** Tables with their columns as schema.ts, audit-schema.ts, auth-schema.ts and order-schema.ts declare them. */
function declared(): Record<string, string[]> {
  const text = ['schema.ts', 'audit-schema.ts', 'auth-schema.ts', 'order-schema.ts']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n');
  const interfaces = new Map([...text.matchAll(/export interface (\w+) \{\n([^]*?)\n\}/g)].map(([, name, body]) => [name, body ?? '']));
  const tables = [...(interfaces.get('Tables') ?? '').matchAll(/(\w+): (\w+);/g)];
  return Object.fromEntries(
    tables.map(([, table = '', name]) => [
      table,
      [...(interfaces.get(name) ?? '').matchAll(/^ {2}(\w+): /gm)].map(([, column = '']) => column).toSorted(),
    ]),
  );
}

test('schema.ts has the tables and columns of the migrated database', async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    SELECT table_name AS table, array_agg(column_name::text ORDER BY column_name COLLATE "C") AS columns
    FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`.execute(world.db);
  expect(Object.fromEntries(rows.map((row) => [row.table, row.columns.toSorted()]))).toEqual(declared());
});

test('every foreign key has an index that starts with its columns, except references to authors of rows', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT c.conrelid::regclass || ' ' || (SELECT string_agg(a.attname, ',' ORDER BY k.ord) FROM unnest(c.conkey) WITH ORDINALITY k (num, ord)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num) AS name
    FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid
        AND (SELECT count(*) FROM unnest(c.conkey) key WHERE key = ANY((i.indkey::int2[])[0:cardinality(c.conkey) - 1])) = cardinality(c.conkey))
    ORDER BY 1`.execute(world.db);
  // Users who wrote a row and orders are never deleted; lines are found by distribution and order, a reversal by its payment.
  expect(rows.map((row) => row.name)).toEqual([
    'actual_quantities updatedBy',
    'actual_quantity_audit updatedBy',
    'catalogue_audit updatedBy',
    'contact_audit updatedBy',
    'distribution_audit updatedBy',
    'distributor_audit updatedBy',
    'emails orderId',
    'order_audit updatedBy',
    'order_product_audit updatedBy',
    'order_products distributorId,distributionId,orderId',
    'order_products distributorId,distributionId,productId',
    'orders pickedUpBy',
    'orders updatedBy',
    'payments createdBy',
    'payments distributorId,distributionId,orderId,reversesId',
    'payments updatedBy',
    'product_images updatedBy',
    'product_uploads updatedBy',
    'tills closedBy',
    'user_audit updatedBy',
  ]);
});
