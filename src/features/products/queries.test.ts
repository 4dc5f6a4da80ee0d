// Tests how much data the queries of products read.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { run, runSingle, transaction, type Db } from '../../server/database/db.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { MAX_DESCRIPTIONS_BYTES, ProductFields } from './contract.ts';
import { saveNewProduct } from './queries.ts';
import { tooLongDescriptions } from './texts.ts';

const testApp = setupTestApp();

// PostgreSQL stores long values of products outside of their rows, in this table.
const STORED_OUTSIDE = `SELECT idx_tup_fetch::int AS rows FROM pg_stat_xact_all_tables
  WHERE relid = (SELECT reltoastrelid FROM pg_class WHERE oid = 'products'::regclass)`;
const readOutside = async (db: Db): Promise<number> => (await runSingle<{ rows: number }>(db, STORED_OUTSIDE, [])).rows;

test('the size of all descriptions is limited without reading them, because a refused product would otherwise decompress megabytes (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const descriptions = Array.from({ length: 2000 }, () => randomBytes(1500).toString('base64'));
  const text = `INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
    SELECT $1, $2, 'Product', 100, description FROM unnest($3::text[]) description`;
  await run(testApp.db, text, [distributor.id, distribution.id, descriptions]);
  const viewer = { tenantId: distributor.id } as Viewer;
  const fields = ProductFields.parse({ name: 'Wine', description: 'x'.repeat(2000) });
  await transaction(testApp.db, async (db) => {
    const saved = saveNewProduct(db, viewer, distribution.id, { fields, uploadId: undefined });
    await expect(saved).rejects.toThrow(tooLongDescriptions(MAX_DESCRIPTIONS_BYTES));
    expect(await readOutside(db)).toBe(0);
    // This statement reads all descriptions, so it shows that the number of read rows is counted.
    await run(db, 'SELECT sum(length(description)) FROM products WHERE "distributionId" = $1', [distribution.id]);
    expect(await readOutside(db)).toBeGreaterThan(0);
  });
});
