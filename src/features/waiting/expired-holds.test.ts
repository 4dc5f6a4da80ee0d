// Tests how the holds that have expired are passed on (contract §12).
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { passOnExpiredHolds } from './queries.ts';

const testApp = setupTestApp();

describe('expired holds', () => {
  beforeEach(async () => void (await testApp.db.deleteFrom('waiting_list').execute()));

  /** Makes a distribution with products on each of whose waiting lists one hold has expired. */
  const makeExpired = async (products: number) => {
    const owner = await makeDistributor(testApp.db);
    const { id } = await makeDistribution(testApp.db, owner);
    const customer = await makeCustomer(testApp.db, owner);
    await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
        SELECT ${owner.id}, ${id}, 'Product ' || n, 100, 1 FROM generate_series(1, ${products}::int) n RETURNING id)
      INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity, "heldQuantity", "heldUntil")
      SELECT ${owner.id}, ${id}, p.id, ${customer.id}, 1, 1, now() FROM p`.execute(testApp.db);
    return id;
  };
  const left = async (distributionId: number): Promise<number> => {
    const rows = testApp.db.selectFrom('waiting_list').select('id').where('distributionId', '=', distributionId);
    return (await rows.execute()).length;
  };
  const passOnOnce = () => passOnExpiredHolds(testApp.db, { signal: AbortSignal.abort() });

  test('are passed on in turns of the distributors, so that thousands of one do not delay those of others (reliability abuse)', async () => {
    const [many, few] = [await makeExpired(250), await makeExpired(40)];
    await passOnOnce();
    expect([await left(many), await left(few)]).toEqual([190, 0]);
  });

  test('are all passed on without a pause, at most 100 at once (reliability abuse)', async () => {
    const many = await makeExpired(250);
    await passOnOnce();
    expect(await left(many)).toBe(150);
    await passOnExpiredHolds(testApp.db);
    expect(await left(many)).toBe(0);
  });

  test('that cannot be passed on do not delay those of other distributors, and those of the same distributor are passed on in later runs (reliability abuse)', async () => {
    const [failing, other] = [await makeExpired(150), await makeExpired(150)];
    const errors: unknown[] = [];
    const passOn = () => passOnExpiredHolds(testApp.db, { onError: (error) => errors.push(error) });
    const lowest = testApp.db.selectFrom('products').select('id').where('distributionId', '=', failing).orderBy('id');
    const { id } = await lowest.executeTakeFirstOrThrow();
    await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''fails''; END'`.execute(testApp.db);
    await sql`CREATE TRIGGER fails BEFORE DELETE ON waiting_list FOR EACH ROW WHEN (OLD."productId" = ${sql.lit(id)}) EXECUTE FUNCTION fail()`.execute(
      testApp.db,
    );
    try {
      await passOn();
      expect([errors.length, await left(other)]).toEqual([1, 0]);
      for (let run = 0; run < 200 && (await left(failing)) > 1; run++) await passOn();
      expect(await left(failing)).toBe(1);
    } finally {
      await sql`DROP FUNCTION fail CASCADE`.execute(testApp.db);
    }
  });
});
