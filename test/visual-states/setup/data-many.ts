// Creates a data set with more records of every kind than a large organization has, so that the screens show long lists.
import { insertDistribution } from '../../../db/demo/load.ts';
import { run } from '../../../src/server/database/db.ts';
import { makeDistribution } from '../../data/factories.ts';
import { ordersByState } from '../order-states.ts';
import type { Places } from './visual-state.ts';
import { distribution, makeTenant, products, type Tenant } from './tenant.ts';
import type { TestDb } from '../../database/test-db.ts';

const MORE = `WITH d AS (INSERT INTO distributions ("distributorId", name, date, published, "orderingOpen")
     SELECT $1, 'Shabbat box ' || n, date '2026-08-01' - 7 * n, true, false FROM generate_series(1, 60) n),
   o AS (INSERT INTO users (email, role) SELECT 'office' || n || '@coop.test', 'distributor' FROM generate_series(1, 100) n),
   a AS (INSERT INTO users (email, role, "distributorId") SELECT 'helper' || n || '@bethel.test', 'agent', $1 FROM generate_series(1, 60) n)
   INSERT INTO emails ("from", "to", subject, html, kind, status, success, "sentAt", "distributorId")
     SELECT 'office@bethel.test', email, 'Pick-up on Wednesday', '<p>At noon.</p>', 'bulk', 'sent', true, now(), $1 FROM users WHERE "distributorId" = $1`;

export async function makeMany(db: TestDb): Promise<Tenant & Places> {
  const tenant = await makeTenant(db, 500);
  const { distributorId, customerIds, people } = tenant;
  const catalogue = products(500);
  const past = await insertDistribution(
    db,
    distributorId,
    [],
    distribution({ name: 'Sukkot 2026', date: '2026-09-25', orderingOpen: false }),
  );
  const weighing = await insertDistribution(
    db,
    distributorId,
    customerIds,
    distribution({
      name: 'Hanukkah 2026',
      date: '2026-12-02',
      catalogue,
      orderingOpen: false,
      acceptActuals: true,
      weighed: 0.95,
      paid: 1,
    }),
  );
  const others = customerIds.slice(1);
  const open = await insertDistribution(db, distributorId, others, distribution({ name: 'Passover 2027', date: '2027-04-15', catalogue }));
  const { id: draft } = await makeDistribution(db, people.distributor, { name: 'Shavuot 2027', date: '2027-06-08', published: false });
  await run(db, MORE, [distributorId]);
  await run(db, 'ANALYZE', []);
  return { ...tenant, open, weighing, past, draft, rehearsal: 0, orders: await ordersByState(db, tenant, weighing) };
}
