// These tests check that PostgreSQL finds rows by indexes where it would otherwise read the rows of all tenants.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeDistribution, makeDistributor } from './data/factories.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();

beforeAll(async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, product_code)
    SELECT ${distributor.id}, ${id}, 'Wine', 100, n FROM generate_series(1, 5000) n`.execute(testApp.db);
  await sql`INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId")
    SELECT 'bulk', 'sent', '', 'other' || n || '@test.example', '', '', ${distributor.id} FROM generate_series(1, 5000) n`.execute(
    testApp.db,
  );
  await sql`ANALYZE products, emails`.execute(testApp.db);
});

test.each([
  ['a product is searched by its code', 'SELECT FROM products WHERE "distributorId" = 1 AND product_code = 99999 LIMIT 1'],
  [
    'a deleted distribution is removed from its mails',
    'UPDATE emails SET "distributionId" = NULL WHERE "distributorId" = 1 AND "distributionId" = 9',
  ],
  [
    'a foreign key check searches the mails of a distribution',
    'SELECT FROM ONLY emails WHERE "distributorId" = 1 AND "distributionId" = 9 FOR KEY SHARE',
  ],
])('when %s, PostgreSQL uses an index (reliability abuse)', async (_, text) => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`EXPLAIN ${text}`)}`.execute(testApp.db);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan');
});
