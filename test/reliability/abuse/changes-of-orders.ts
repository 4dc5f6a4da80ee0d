import type { Buyer, Shop } from '../setup/orders-and-customers.ts';
import type { FloodRequest } from './flood.ts';

/** Returns requests with which each of these customers changes the own order: every quantity becomes 1 or 2. */
export const changesOfOrders = ({ distributionId, productIds }: Shop, customers: readonly Buyer[]): FloodRequest[] =>
  [1, 2].flatMap((quantity) =>
    customers.map(({ cookie }) => ({
      method: 'POST',
      path: '/api/orders',
      headers: { cookie: `sid=${cookie}` },
      body: JSON.stringify({ distributionId, products: productIds.map((productId) => ({ productId, quantity })) }),
    })),
  );
