// The calls for the order of a customer in a distribution (spec §7; contract §5).
import * as z from 'zod/mini';
import { dollars, MAX_CENTS } from '../../domain/money.ts';
import { MAX_QUANTITY } from '../../domain/order.ts';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import { ROLES } from '../../domain/accounts/roles.ts';
import { NOT_OPEN_YET, NOT_PUBLISHED, onlyLeft, ORDERING_IS_CLOSED, SLOT_IS_FULL } from '../../domain/texts.ts';
import { numberText } from '../../shared/counted.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id, nullableText } from '../../shared/fields.ts';
import { Recorded } from '../actuals/contract.ts';
import { FeeTerms, MAX_CHANGES } from '../catalogue/contract.ts';
import { changesQuery, OrderTerms } from '../audit/contract.ts';
import { StaffContact } from '../contact/contract.ts';
import { Distribution } from '../distributions/contract.ts';
import { Fee } from '../fees/contract.ts';
import { Product, ProductTerms } from '../products/contract.ts';
import { LOSSES_CHANGED } from './edit-order/texts.ts';
import { CHANGED_ELSEWHERE, NOTE, PICKED_UP } from './texts.ts';

export const MAX_LINES = 5000;

export const MAX_NOTE_LENGTH = 500;
const UNCHANGED = 'Absent: as it was; null: none.';

const VERSION =
  'The version of the order that the change is based on, from the last read or save; 0: there was no order yet. If the order has another version now, nothing is saved, and the reply is 409 with that `version`. Without this field, the last save wins.';
const BEYOND_LIMITS = 'The ids of the products whose limits the order may exceed.';
const LOSSES = 'The weights deleted and the refund due then, as the user saw them. 409 if they are others now.';
const BOUNDS = `A quantity is at most the product's \`max_order_qty\`, or ${numberText(MAX_QUANTITY)} where that is 0; the products of an order come to at most ${dollars(MAX_CENTS)}.`;

const OrderLine = z.object({ productId: Id, quantity: z.int('A quantity must be a whole number, 0 or more.') });

const LostWeight = z.extend(Recorded, { orderProductId: Id });

/** The note and the pick-up time of an order. Each is absent if it is not set (contract §16). */
const Details = { note: z.optional(z.string()), slotId: z.optional(Id) };

export interface StoredDetails {
  readonly note: string | null;
  readonly slotId: number | null;
}

/** Returns the order in the form of a reply: a note or pick-up time that is not set is absent instead of null. */
export const withDetails = <O extends StoredDetails>({ note, slotId, ...order }: O) => ({
  ...order,
  ...(note === null ? {} : { note }),
  ...(slotId === null ? {} : { slotId }),
});

/** An order as the customer reads it: `products` contains only lines with a quantity above 0. */
export const Order = z.object({ id: Id, distributionId: Id, products: z.array(OrderLine), version: z.int(), ...Details });
export type Order = z.infer<typeof Order>;

const WholeOrder = z.object({
  distributionId: Id,
  products: z.array(OrderLine).check(z.maxLength(MAX_LINES, `An order has at most ${MAX_LINES} lines`)),
  version: z.optional(z.int().check(z.describe(VERSION))),
  note: z.optional(nullableText(NOTE, MAX_NOTE_LENGTH)).check(z.describe(UNCHANGED)),
  slotId: z.optional(z.nullable(Id)).check(z.describe(`The pick-up time. ${UNCHANGED} An order whose quantities are all 0 has none.`)),
});

/** An order with the further data that My Orders shows (contract §10). */
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
  description: BOUNDS,
  refusals: {
    409: `${ORDERING_IS_CLOSED}. ${NOT_OPEN_YET}. ${NOT_PUBLISHED}. ${PICKED_UP} ${onlyLeft('Brisket', 3)} ${SLOT_IS_FULL} ${CHANGED_ELSEWHERE}`,
  },
  roles: ['customer'],
  body: WholeOrder,
  reply: Order,
  status: 201,
  statusOfChange: 200,
  idempotent: true,
});

/** Everything that staff need to edit a customer's order, from one consistent snapshot (spec §3, distributor order page data). */
export const OrderPageData = z.object({
  order: z.nullable(z.object({ id: Id, distributionId: Id, customerId: Id, version: z.int(), ...Details })),
  distribution: Distribution,
  distributionProducts: z.array(Product),
  fees: z.array(Fee),
  /** All lines, including those with quantity 0. */
  orderProducts: z.array(
    z.object({
      id: Id,
      productId: Id,
      quantity: z.int(),
      originalQuantity: z.int(),
      actuals: z.array(Recorded),
    }),
  ),
  contact: StaffContact,
  /** The totals of the order; null if the customer has no order. */
  account: z.nullable(
    z.object({
      orderAmount: Amount,
      balance: Amount,
      expected_count: z.int(),
      actual_count: z.int(),
      /** The number of weights that the customer recorded and staff have not confirmed. */
      unconfirmed_count: z.int(),
      has_all_actuals: z.boolean(),
    }),
  ),
});
export type OrderPageData = z.infer<typeof OrderPageData>;

export const readOrderPageData = endpoint({
  method: 'GET',
  path: '/api/distributor-order-page-data/:distributionId/:customerId',
  summary: "What staff edit a customer's order with",
  roles: ['distributor', 'agent'],
  reply: OrderPageData,
});

export const placeCustomerOrder = endpoint({
  method: 'POST',
  path: '/api/distributor/order',
  summary: 'Place or change the order of a customer as a whole, also when ordering is closed; everything may be 0',
  description: BOUNDS,
  refusals: { 409: `${onlyLeft('Brisket', 3)} ${CHANGED_ELSEWHERE} ${LOSSES_CHANGED}` },
  roles: ['distributor', 'agent'],
  body: z.extend(WholeOrder, {
    customerId: Id,
    beyondLimits: z.optional(z.array(Id).check(z.maxLength(MAX_LINES))).check(z.describe(BEYOND_LIMITS)),
    losses: z.optional(z.object({ weights: z.array(LostWeight), refund: Amount })).check(z.describe(LOSSES)),
  }),
  reply: Order,
  status: 201,
  statusOfChange: 200,
  idempotent: true,
});

const OfProduct = { productName: z.string(), nameDetail: z.optional(z.string()), productCode: z.nullable(z.int()) };
/**
 * The fields of every row of an order's history. `by` and `byRole` are the e-mail address and the role of the person who made the change.
 * Each kind of change overrides the fields for which it has values.
 */
const Change = {
  key: z.string(),
  at: z.string(),
  by: z.string(),
  byRole: z.enum(ROLES),
  productName: z.null(),
  nameDetail: z.optional(z.undefined()),
  productCode: z.null(),
  feeName: z.null(),
  unit: z.null(),
  uom: z.null(),
  from: z.null(),
  to: z.null(),
  before: z.null(),
  after: z.null(),
  amount: z.null(),
  paymentMethod: z.null(),
};
export const HistoryRow = z.discriminatedUnion('kind', [
  z.object({ ...Change, kind: z.literal('quantity'), ...OfProduct, from: z.int(), to: z.int() }),
  /** A changed weight. `unit` counts from 1. `from` is null if the unit had no weight before. `to` is null if the weight was removed. */
  z.object({
    ...Change,
    kind: z.literal('weight'),
    ...OfProduct,
    unit: z.int(),
    uom: z.nullable(z.string()),
    from: z.nullable(z.number()),
    to: z.nullable(z.number()),
  }),
  z.object({ ...Change, kind: z.literal('price'), ...OfProduct, before: ProductTerms, after: ProductTerms }),
  /** A changed fee. `before` is null for a new fee, `after` for a deleted fee. */
  z.object({ ...Change, kind: z.literal('fee'), feeName: z.string(), before: z.nullable(FeeTerms), after: z.nullable(FeeTerms) }),
  /** A payment. `amount` is negative if it reverses an earlier payment. */
  z.object({ ...Change, kind: z.literal('payment'), amount: Amount, paymentMethod: z.enum(PAYMENT_METHODS) }),
  /** A change of the order's note, pick-up time or other fields besides its lines. */
  z.object({ ...Change, kind: z.literal('order'), before: OrderTerms, after: OrderTerms }),
]);
export type HistoryRow = z.infer<typeof HistoryRow>;

export const HistoryQuery = changesQuery(MAX_CHANGES);
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const readHistory = endpoint({
  method: 'GET',
  path: '/api/orders/:orderId/history',
  summary: `Who changed which quantity, weight, price or fee of an order or recorded a payment, when and from what, newest first, in parts of ${MAX_CHANGES} or \`limit\`: \`after\` is the key of the last row of the part before`,
  roles: ['distributor', 'agent'],
  query: HistoryQuery,
  reply: z.array(HistoryRow),
});
