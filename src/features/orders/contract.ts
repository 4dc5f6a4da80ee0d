// A customer's order in a distribution (spec §7; contract §5).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';

const MOST_LINES = 5000;

export const OrderLine = z.object({ productId: Id, quantity: z.int('A quantity must be a whole number, 0 or more.') });

/** Lines with a quantity above 0. */
export const Order = z.object({ id: Id, distributionId: Id, products: z.array(OrderLine), version: z.int() });
export type Order = z.infer<typeof Order>;

export const WholeOrder = z.object({
  distributionId: Id,
  products: z.array(OrderLine).check(z.maxLength(MOST_LINES, `An order has at most ${MOST_LINES} lines`)),
  /** The version the change is based on; 0 says that there was no order yet. */
  version: z.optional(z.int()),
});

/** What My Orders shows of an order beside its lines (contract §10). */
export const OrderItem = z.extend(Order, {
  distributionName: z.nullable(z.string()),
  distributionDate: z.nullable(z.string()),
  orderAmount: Amount,
  balance: Amount,
  expected_count: z.int(),
  actual_count: z.int(),
});
export type OrderItem = z.infer<typeof OrderItem>;

export const listOrders = endpoint({
  method: 'GET',
  path: '/api/orders',
  summary: 'The own orders',
  roles: ['customer'],
  reply: z.array(OrderItem),
});

export const readOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:distributionId',
  summary: 'The own order in a distribution, or null',
  roles: ['customer'],
  reply: z.nullable(Order),
});

export const placeOrder = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Place or change the own order: the whole of it, a product that is not listed has quantity 0',
  roles: ['customer'],
  body: WholeOrder,
  reply: Order,
  status: 201,
  idempotent: true,
});
