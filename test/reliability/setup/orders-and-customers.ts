// Inserts a distribution and customers with sessions directly into a database, lets the customers save orders, and checks these orders
// afterwards.
import type { Agent } from 'node:http';
import { run } from '../../../src/server/database/db.ts';
import { openSession } from '../../../src/server/auth/session.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../data/factories.ts';
import { linesOf } from '../../data/order-rows.ts';
import type { Person } from '../../test-app.ts';
import type { TestDatabase } from './databases.ts';
import type { ProductResponse, Product } from './product.ts';
import { openTestDb, type TestDb } from '../../database/test-db.ts';

export interface Buyer {
  readonly id: number;
  readonly cookie: string;
}
export interface Shop {
  readonly distributionId: number;
  readonly productIds: readonly number[];
  readonly buyers: readonly Buyer[];
  readonly distributor: Buyer;
}

export async function withDb<Result>(place: TestDatabase, work: (db: TestDb) => Promise<Result>): Promise<Result> {
  const { db, close } = openTestDb(await place.connection());
  try {
    return await work(db);
  } finally {
    await close();
  }
}

export async function signedIn(db: TestDb, person: Person): Promise<Buyer> {
  const { cookie } = await openSession(db, person, undefined, { now: new Date(), rules: { customerIdleDays: 7, secure: false } });
  return { id: person.id, cookie };
}

export const createShop = (place: TestDatabase, customers: number, products = 3): Promise<Shop> =>
  withDb(place, async (db) => {
    const distributor = await makeDistributor(db);
    const people = await Promise.all(Array.from({ length: customers }, () => makeCustomer(db, distributor)));
    const { id: distributionId, ...rest } = await makeDistribution(db, distributor);
    const goods = await Promise.all(Array.from({ length: products }, () => makeProduct(db, { id: distributionId, ...rest })));
    return {
      distributionId,
      productIds: goods.map(({ id }) => id),
      buyers: await Promise.all(people.map((person) => signedIn(db, person))),
      distributor: await signedIn(db, distributor),
    };
  });

export const nextShop = (place: TestDatabase, before: Shop): Promise<Shop> =>
  withDb(place, async (db) => {
    const distribution = await makeDistribution(db, { id: before.distributor.id, email: '', role: 'distributor' });
    const goods = await Promise.all(before.productIds.map(() => makeProduct(db, distribution)));
    return { ...before, distributionId: distribution.id, productIds: goods.map(({ id }) => id) };
  });

interface Save {
  readonly buyer: Buyer;
  readonly quantity: number;
  readonly agent?: Agent;
}

export const saveOrder = (product: Pick<Product, 'ask'>, shop: Shop, { buyer, quantity, agent }: Save): Promise<ProductResponse> =>
  product.ask({
    method: 'POST',
    path: '/api/orders',
    cookie: buyer.cookie,
    key: `${shop.distributionId}-${buyer.id}-${quantity}`,
    body: { distributionId: shop.distributionId, products: shop.productIds.map((productId) => ({ productId, quantity })) },
    ...(agent === undefined ? {} : { agent }),
  });

export const isSaved = (status: number): boolean => status === 200 || status === 201;

/**
 * The saves of one customer. They have the quantities 1, 2, 3 and so on. `sent` is the last quantity that was sent, and `acknowledged`
 * contains the quantities whose save succeeded.
 */
export interface BuyerLog {
  readonly buyer: Buyer;
  sent: number;
  readonly acknowledged: number[];
}
export const newLogs = ({ buyers }: Shop): BuyerLog[] => buyers.map((buyer) => ({ buyer, sent: 0, acknowledged: [] }));

export interface ShopVerdict {
  readonly acknowledged: number;
  readonly lost: number;
  readonly torn: number;
  /** The number of saves that got no response but took effect. */
  readonly unanswered: number;
}

// Selects the orders with a wrong number of confirmations. An order gets one confirmation when it is placed and another one when it is
// changed, but at most one within five minutes (contract §8).
const WRONGLY_MAILED = `SELECT o.id FROM orders o LEFT JOIN emails e ON e."orderId" = o.id WHERE o."distributionId" = $1 GROUP BY o.id
  HAVING count(e.id) NOT BETWEEN least(o.version, 2) AND least(o.version, 2 + extract(epoch FROM now() - min(e."createdAt")) / 300)`;

/**
 * Checks three rules. No acknowledged save is missing. A save without a response took effect completely or not at all. Each order is
 * complete: all its lines have the same quantity and the same audit trail, the audit trail ends with the last save, and the confirmations
 * were sent. The audit trail need not contain every save, because the fourth and later saves within a minute overwrite its newest row.
 */
export const verifyShop = (place: TestDatabase, shop: Shop, told: readonly BuyerLog[]): Promise<ShopVerdict> =>
  withDb(place, async (db) => {
    const lines = Map.groupBy(await linesOf(db, shop.distributionId), (line) => line.customerId);
    let [acknowledged, lost, unanswered, torn] = [0, 0, 0, (await run(db, WRONGLY_MAILED, [shop.distributionId])).length];
    for (const { buyer, sent, acknowledged: own } of told) {
      acknowledged += own.length;
      const order = lines.get(buyer.id) ?? [];
      lost += own.filter((acknowledged) => order.length === 0 || order.some(({ quantity }) => quantity < acknowledged)).length;
      if (sent > own.length && order.some(({ quantity }) => quantity === sent)) unanswered += 1;
      const [{ quantity: last, audit } = { quantity: 0, audit: [] }] = order;
      const isHistory = audit.at(-1) === last && audit.every((quantity, index) => quantity > (audit[index - 1] ?? 0));
      const isWhole = isHistory && order.every((line) => line.quantity === last && JSON.stringify(line.audit) === JSON.stringify(audit));
      if (last > sent || (order.length !== 0 && !isWhole) || (order.length !== 0 && order.length !== shop.productIds.length)) torn += 1;
    }
    return { acknowledged, lost, torn, unanswered };
  });
