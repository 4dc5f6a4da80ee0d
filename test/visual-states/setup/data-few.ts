// Creates the data of a realistic holiday: sixteen families, 26 products, an order in every state, and entries in every list of people and
// mails.
import { insertDistribution, startRehearsalOf } from '../../../db/demo/load.ts';
import { insertPickUpDay } from '../../../db/demo/pick-up-day.ts';
import { newJoinCode, saveJoinCode } from '../../../src/features/organization/queries.ts';
import { run } from '../../../src/server/database/db.ts';
import { makeDistribution } from '../../data/factories.ts';
import { ordersByState } from '../order-states.ts';
import type { Places } from './visual-state.ts';
import { distribution, makeTenant, products, type Tenant } from './tenant.ts';
import type { TestDb } from '../../database/test-db.ts';

/** Makes one customer locked, one disabled, and one without a password. */
const PEOPLE = `UPDATE users SET
    "lockedUntil" = CASE WHEN id = $1 THEN now() + interval '1 hour' END, "loginAttempts" = CASE WHEN id = $1 THEN 5 ELSE 0 END,
    "disabledAt" = CASE WHEN id = $2 THEN now() END, password = CASE WHEN id = $3 THEN NULL ELSE password END,
    "lastLoginAt" = CASE WHEN id = $3 THEN NULL ELSE "lastLoginAt" END
  WHERE id IN ($1, $2, $3)`;
const MAILS = `INSERT INTO emails ("from", "to", subject, html, kind, status, success, response, "sentAt", "distributorId", "userId")
  SELECT 'office@bethel.test', u.email, m.subject, '<p>At noon.</p>', m.kind, m.status, m.status = 'sent', m.response,
    CASE WHEN m.status = 'sent' THEN now() - interval '1 hour' END, $1, u.id
  FROM (VALUES (0, 'Pick-up on Wednesday', 'bulk', 'sent', '250 Accepted'), (1, 'Pick-up on Wednesday', 'bulk', 'failed', '550 No such mailbox'),
    (2, 'Pick-up on Wednesday', 'bulk', 'queued', NULL), (3, 'Pick-up on Wednesday', 'bulk', 'unknown', NULL),
    (4, 'Pick-up on Wednesday', 'bulk', 'suppressed', NULL), (5, 'Your account at Bethel Holiday Foods', 'invitation', 'sent', '250 Accepted'))
    AS m (place, subject, kind, status, response)
  JOIN users u ON u.id = ($2::int[])[m.place + 1]`;
const PRICE_CHANGES = `INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", name, before, after, "updatedBy")
  SELECT $1, $2, id, name, jsonb_build_object('unit_price', unit_price - 100, 'unit_qty', unit_qty, 'unit_qty_is_estimate', unit_qty_is_estimate),
    jsonb_build_object('unit_price', unit_price, 'unit_qty', unit_qty, 'unit_qty_is_estimate', unit_qty_is_estimate), $1
  FROM products WHERE "distributionId" = $2 ORDER BY id LIMIT 2`;

export async function makeFew(db: TestDb): Promise<Tenant & Places> {
  const tenant = await makeTenant(db, 16);
  const { distributorId, customerIds, agentIds, people } = tenant;
  const catalogue = products(26, 2);
  const closed = { catalogue, orderingOpen: false };
  const sold = customerIds.slice(0, 12);
  const make = (ids: readonly number[], demo: Parameters<typeof distribution>[0]) =>
    insertDistribution(db, distributorId, ids, distribution(demo));
  const past = await make(sold, { name: 'Rosh Hashanah 2026', date: '2026-09-08', ...closed, weighed: 1, paid: 1 });
  const weights = { acceptActuals: true, weighed: 0.6, paid: 0.5, seed: 57871 };
  const weighing = await make(sold, { name: 'Hanukkah 2026', date: '2026-12-02', ...closed, ...weights });
  await insertPickUpDay(db, { distributorId, id: weighing }, agentIds);
  const open = await make(customerIds.slice(1, 11), { name: 'Passover 2027', date: '2027-04-15', catalogue });
  const { id: draft } = await makeDistribution(db, people.distributor, { name: 'Shavuot 2027', date: '2027-06-08', published: false });
  await run(db, PEOPLE, customerIds.slice(12, 15));
  await run(db, MAILS, [distributorId, customerIds]);
  await run(db, PRICE_CHANGES, [distributorId, open]);
  await saveJoinCode(db, distributorId, newJoinCode());
  const rehearsal = await startRehearsalOf(db, people.distributor, 'Hanukkah 2026');
  return { ...tenant, open, weighing, past, draft, rehearsal, orders: await ordersByState(db, tenant, weighing) };
}
