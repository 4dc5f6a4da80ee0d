import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './factories.ts';
import { makeOrder, weigh } from './order-rows.ts';
import type { TestDb } from '../database/test-db.ts';

/** Creates a customer's order for four briskets of about 5 lb. An agent has recorded 4.5 lb for the second brisket. */
export async function makeOrderToWeigh(db: TestDb) {
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor);
  const customer = await makeCustomer(db, distributor);
  const distribution = await makeDistribution(db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(db, distribution, { name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true });
  const order = await makeOrder(db, distribution, customer, [[brisket, 4]]);
  await weigh(db, order.lines[0], [null, 4.5], agent);
  return { distributor, agent, customer, distribution, orderId: order.id, lineId: order.lines[0]?.id ?? 0 };
}
