// A distribution with customers who are signed in, put straight into the database of a place; and what of their saves is in it.
import type { Agent } from 'node:http';
import { openDb, run, type Db } from '../../../src/server/database/db.ts';
import { openSession } from '../../../src/server/auth/session.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../data/factories.ts';
import { linesOf } from '../../data/order-rows.ts';
import type { Person } from '../../test-app.ts';
import type { TestDatabase } from './databases.ts';
import type { ProductResponse, Product } from './product.ts';

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

/** A look into the database; its connections are closed again. */
export async function withDb<Result>(place: TestDatabase, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = openDb(await place.connection(), () => undefined);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

async function signedIn(db: Db, person: Person): Promise<Buyer> {
  const { cookie } = await openSession(db, person, undefined, { now: new Date(), rules: { customerIdleDays: 7, secure: false } });
  return { id: person.id, cookie };
}

export const createShop = (place: TestDatabase, customers: number, products = 3): Promise<Shop> =>
  withDb(place, async (db) => {
    // The factories count their people anew in every process; their addresses go on from here.
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

/** The next distribution of the same people. */
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

/** The whole order of a buyer, with the same quantity of every product. */
export const saveOrder = (product: Pick<Product, 'ask'>, shop: Shop, { buyer, quantity, agent }: Save): Promise<ProductResponse> =>
  product.ask({
    method: 'POST',
    path: '/api/orders',
    cookie: buyer.cookie,
    key: `${shop.distributionId}-${buyer.id}-${quantity}`,
    body: { distributionId: shop.distributionId, products: shop.productIds.map((productId) => ({ productId, quantity })) },
    ...(agent === undefined ? {} : { agent }),
  });

/** What each buyer sent and was told: quantities 1, 2, 3, …, one after the other. */
export interface BuyerLog {
  readonly buyer: Buyer;
  sent: number;
  readonly acknowledged: number[];
}

export interface ShopVerdict {
  readonly acknowledged: number;
  readonly lost: number;
  readonly torn: number;
  /** Of the saves without an answer, those that were done. */
  readonly untold: number;
}

// One for the order, one more once it is changed, and then at most one in five minutes (contract §8).
const WRONGLY_MAILED = `SELECT o.id FROM orders o LEFT JOIN emails e ON e."orderId" = o.id WHERE o."distributionId" = $1 GROUP BY o.id
  HAVING count(e.id) NOT BETWEEN least(o.version, 2) AND least(o.version, 2 + extract(epoch FROM now() - min(e."createdAt")) / 300)`;

/**
 * Every acknowledged save has its audit row on every line, and an order is whole: its lines agree in quantity and in history, and it has
 * the confirmations of that. A save that was never answered is there as a whole, or not at all.
 */
export const verifyShop = (place: TestDatabase, shop: Shop, told: readonly BuyerLog[]): Promise<ShopVerdict> =>
  withDb(place, async (db) => {
    const lines = Map.groupBy(await linesOf(db, shop.distributionId), (line) => line.customerId);
    let [acknowledged, lost, untold, torn] = [0, 0, 0, (await run(db, WRONGLY_MAILED, [shop.distributionId])).length];
    for (const { buyer, sent, acknowledged: own } of told) {
      acknowledged += own.length;
      const order = lines.get(buyer.id) ?? [];
      lost += own.filter((quantity) => order.length === 0 || order.some(({ audit }) => !audit.includes(quantity))).length;
      if (sent > own.length && order.some(({ audit }) => audit.includes(sent))) untold += 1;
      const [last = 0] = order.map(({ quantity }) => quantity);
      const history = JSON.stringify(Array.from({ length: last }, (_, index) => index + 1));
      const isWhole = order.every((line) => line.quantity === last && JSON.stringify(line.audit) === history);
      if (last > sent || !isWhole || (order.length !== 0 && order.length !== shop.productIds.length)) torn += 1;
    }
    return { acknowledged, lost, torn, untold };
  });
