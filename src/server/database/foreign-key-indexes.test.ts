import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { run } from './db.ts';

const testApp = setupTestApp();

test('every foreign key has an index that starts with the columns of the key, except references to authors of rows', async () => {
  const statement = `
    SELECT c.conrelid::regclass || ' ' || (SELECT string_agg(a.attname, ',' ORDER BY k.ord) FROM unnest(c.conkey) WITH ORDINALITY k (num, ord)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num) AS name
    FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid
        AND (SELECT count(*) FROM unnest(c.conkey) key WHERE key = ANY((i.indkey::int2[])[0:cardinality(c.conkey) - 1])) = cardinality(c.conkey))
    ORDER BY 1`;
  const rows = await run<{ name: string }>(testApp.db, statement, []);
  // These foreign keys need no index. PostgreSQL would use an index on a user's id only when it deletes the user, and users who wrote a row
  // are hardly ever deleted. For the other keys, an index on some of their columns is sufficient, such as the order of a line, or the
  // payment that a reversal reverses.
  expect(rows.map((row) => row.name)).toEqual([
    'actual_quantities updatedBy',
    'actual_quantity_audit updatedBy',
    'catalogue_audit updatedBy',
    'contact_audit updatedBy',
    'customer_uploads updatedBy',
    'distribution_audit updatedBy',
    'distributor_audit updatedBy',
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
