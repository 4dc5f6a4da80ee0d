// The calls for the content of printed orders (spec §2 print order page, §3 print data).
import * as z from 'zod/mini';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';
import { OrderContact } from '../contact/contract.ts';
import { Fee } from '../fees/contract.ts';
import { Organization } from '../organization/contract.ts';
import { CHOOSE_AN_ORDER, tooManyOrders } from './texts.ts';

const MaybeText = z.nullable(z.string());

/** A printed line. Its quantity is above 0, or the customer requested the line and staff set it to 0. */
const PrintProduct = z.object({
  orderProductId: Id,
  productId: Id,
  quantity: z.int(),
  /** The quantity that the customer requested last or, on a line that staff added, the quantity that staff set first (contract §5). */
  originalQuantity: z.int(),
  product_code: z.nullable(z.int()),
  name: z.string(),
  /**
   * The part of the description that distinguishes the product from other products with the same name. Absent if no other product has this
   * name.
   */
  nameDetail: z.optional(z.string()),
  unit_price: Amount,
  unit_qty: z.int(),
  /** The price of one unit in cents: unit_price times unit_qty. */
  price: Amount,
  uom: MaybeText,
  unit_qty_is_estimate: z.boolean(),
  product_group: MaybeText,
});

export const PrintData = z.object({
  order: z.object({
    id: Id,
    distributionId: Id,
    customerId: Id,
    /** The note and the pick-up time of the order; each is absent unless it is set (contract §16). */
    note: z.optional(z.string()),
    slot: z.optional(z.object({ label: z.string(), startsAt: z.string() })),
  }),
  products: z.array(PrintProduct),
  contact: OrderContact,
  distribution: z.object({
    id: Id,
    name: z.string(),
    date: z.string(),
    /** True for a rehearsal, otherwise absent. A rehearsal is marked on every sheet, so that nobody takes its orders for real ones. */
    rehearsal: z.optional(z.literal(true)),
  }),
  actuals: z.array(z.object({ orderProductId: Id, productId: Id, sortOrder: z.int(), actualQuantity: z.number() })),
  /** The number of weights that the customer recorded and staff have not confirmed. */
  unconfirmed_count: z.int(),
  /** The fees in the sequence in which they are charged. */
  fees: z.array(Fee),
  /** The payments, oldest first. A reversal has a negative amount. */
  payments: z.array(z.object({ id: Id, paymentMethod: z.enum(PAYMENT_METHODS), amount: Amount, feeAmount: Amount, createdAt: z.string() })),
  organization: Organization,
});
export type PrintData = z.infer<typeof PrintData>;

export const readOwnPrint = endpoint({
  method: 'GET',
  path: '/api/customer-print-order/:distributionId',
  summary: 'What stands on the own printed order in a distribution',
  roles: ['customer'],
  reply: PrintData,
});

export const readPrint = endpoint({
  method: 'GET',
  path: '/api/distributor-print-order/:id',
  summary: 'What stands on a printed order; the id is the order’s',
  roles: ['distributor', 'agent'],
  reply: PrintData,
});

/** The maximum number of orders in one call. */
export const MAX_ORDERS = 50_000;

/** This call only reads. It is a POST because thousands of ids do not fit in a URL. */
export const readChosenPrints = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/print-orders',
  summary: 'What stands on the printed orders of a distribution that are named by id',
  description: 'Of the ids that are no order of this distribution, or of one in which nothing is ordered, there is no row.',
  roles: ['distributor'],
  body: z.object({ orderIds: z.array(Id).check(z.minLength(1, CHOOSE_AN_ORDER), z.maxLength(MAX_ORDERS, tooManyOrders(MAX_ORDERS))) }),
  reply: z.array(PrintData),
  maxValues: MAX_ORDERS + 100,
});

export const readPrints = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/print-orders',
  summary: 'What stands on the printed orders of a distribution in which something is ordered, by last name, first name and e-mail',
  roles: ['distributor'],
  reply: z.array(PrintData),
});
