// An order can have thousands of weights. Saving one weight must not read all of them, because other people would have to wait.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { run, transaction, type Db } from '../../server/database/db.ts';
import { lastStaffWeights, recordedCount, recordedOf } from './queries.ts';

const testApp = setupTestApp();

const READ = `SELECT relname, (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
  WHERE relname IN ('actual_quantities', 'actual_quantity_audit') ORDER BY relname`;

test(
  'the recorded weights of a few units, and those that staff recorded last, are read without the other weights of the order (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const distribution = await makeDistribution(testApp.db, distributor);
    const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
    const order = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 9000]]);
    const line = order.lines[0]?.id ?? 0;
    await sql`WITH w AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
      SELECT ${line}, n, n, ${distributor.id} FROM generate_series(0, 8997) n RETURNING *)
    INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
      SELECT "orderProductId", "sortOrder", "actualQuantity", "updatedBy" FROM w`.execute(testApp.db);
    await run(testApp.db, 'ANALYZE actual_quantities, actual_quantity_audit', []);
    const units = [1, 8000, 8999].map((sortOrder) => ({ orderProductId: line, sortOrder }));
    const read = async (db: Db) => ({ recorded: await recordedOf(db, units), ofStaff: await lastStaffWeights(db, units) });
    const { recorded, ofStaff, rows } = await transaction(testApp.db, async (db) => ({
      ...(await read(db)),
      rows: await run(db, READ, []),
    }));
    expect([...recorded].map(([unit, { actualQuantity }]) => [unit, actualQuantity])).toEqual([
      [`${line}-1`, 1],
      [`${line}-8000`, 8000],
    ]);
    expect([...ofStaff]).toEqual([
      [`${line}-1`, 1],
      [`${line}-8000`, 8000],
    ]);
    expect(rows).toEqual([
      { relname: 'actual_quantities', rows: 2 },
      { relname: 'actual_quantity_audit', rows: 2 },
    ]);
    expect(await recordedCount(testApp.db, order.id)).toBe(8998);
  },
);
