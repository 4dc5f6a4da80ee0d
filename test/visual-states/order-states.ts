// Finds or creates an order in each state. The distribution of these orders is partly weighed and paid.
import { accountsOfOrders } from '../../src/features/payments/queries.ts';
import { run } from '../../src/server/database/db.ts';
import type { Places } from './setup/visual-state.ts';
import type { Tenant } from './setup/tenant.ts';
import type { TestDb } from '../database/test-db.ts';

const FIRST_UNIT = `INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
  SELECT l.id, 0, p.unit_qty + 0.25, $2 FROM order_products l JOIN products p ON p.id = l."productId"
  WHERE l."orderId" = $1 AND p.unit_qty_is_estimate AND l.quantity > 0 ORDER BY l.id LIMIT 1`;
const TEN_DOLLARS_MORE = `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", description, "createdBy", "updatedBy")
  SELECT "distributorId", "distributionId", id, 1000, 'Check', 'Check 2041', $2, $2 FROM orders WHERE id = $1`;

/**
 * Returns the id of one order in each state. To make the missing states, it weighs one unit of an unweighed order, and records a payment of
 * ten dollars for an order that is already paid.
 */
export async function ordersByState(db: TestDb, { distributorId, people }: Tenant, distributionId: number): Promise<Places['orders']> {
  const found = await run<{ id: number }>(db, 'SELECT id FROM orders WHERE "distributionId" = $1', [distributionId]);
  const ids = found.map(({ id }) => id);
  const accounts = (await accountsOfOrders(db, distributorId, ids)).toSorted((a, b) => a.id - b.id);
  const untouched = accounts.filter(({ actual_count, expected_count }) => actual_count === 0 && expected_count > 1);
  const paid = accounts.filter(({ balance }) => balance === 0);
  const weighed = accounts.find(({ has_all_actuals, balance }) => has_all_actuals && balance > 0);
  const mine = untouched.find(({ customerId }) => customerId === people.neighbour.id);
  const [unweighed, partly] = untouched.filter((account) => account !== mine);
  const orders = { unweighed, partly, weighed: weighed ?? paid[2], paid: paid[0], refund: paid[1], mine: mine ?? unweighed };
  const idsByState = Object.entries(orders).map(([state, account]) => {
    if (!account) throw new Error(`no order of this ids is ${state}`);
    return [state, account.id] as const;
  });
  const byState = Object.fromEntries(idsByState) as Places['orders'];
  await run(db, FIRST_UNIT, [byState.partly, distributorId]);
  await run(db, TEN_DOLLARS_MORE, [byState.refund, distributorId]);
  return byState;
}
