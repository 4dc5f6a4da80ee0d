// The calls of the counter, which is the desk where families pick up their orders. One call reads all orders of a distribution, the other
// only those that changed since the last read (contract §14).
import * as z from 'zod/mini';
import { ROLES } from '../../domain/accounts/roles.ts';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import { NOT_ACCEPTING_ACTUALS } from '../../domain/texts.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';
import { NextCursor, PageQuery } from '../../shared/pages.ts';
import { NO_MARK } from './texts.ts';

const CounterWeight = z.object({
  /** The position of the unit within its order line, starting with 0. */
  sortOrder: z.int(),
  actualQuantity: z.number(),
  byRole: z.enum(ROLES),
});

const CounterLine = z.object({ orderProductId: Id, productId: Id, quantity: z.int(), actuals: z.array(CounterWeight) });
export type CounterLine = z.infer<typeof CounterLine>;

const CounterPayment = z.object({
  id: Id,
  amount: Amount,
  feeAmount: Amount,
  paymentMethod: z.enum(PAYMENT_METHODS),
  createdAt: z.string(),
  reversesId: z.nullable(Id),
});
export type CounterPayment = z.infer<typeof CounterPayment>;

export const CounterOrder = z.object({
  id: Id,
  customerId: Id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The label of the order's pick-up time with its time; null without one. */
  slot: z.nullable(z.string()),
  pickedUpAt: z.nullable(z.string()),
  lines: z.array(CounterLine),
  payments: z.array(CounterPayment),
  key: NextCursor,
});
export type CounterOrder = z.infer<typeof CounterOrder>;

const CounterProduct = z.object({
  id: Id,
  name: z.string(),
  nameDetail: z.optional(z.string()),
  product_code: z.nullable(z.int()),
  unit_price: Amount,
  unit_qty: z.int(),
  uom: z.nullable(z.string()),
  unit_qty_is_estimate: z.boolean(),
});
export type CounterProduct = z.infer<typeof CounterProduct>;

const CounterFee = z.object({ id: Id, name: z.string(), type: z.enum(['percent', 'flat']), sort_order: z.int(), amount: z.int() });

const Catalogue = z.object({ products: z.array(CounterProduct), fees: z.array(CounterFee) });
export type Catalogue = z.infer<typeof Catalogue>;

/**
 * A mark stands for the state of the orders at the time of a read. Each read returns a mark. The client sends this mark with its next read,
 * and gets only what has changed since. A mark consists of a transaction id, a dot, and the version of the catalogue.
 */
const Mark = z.string(NO_MARK).check(z.regex(/^\d{1,19}\.\d{1,10}$/, NO_MARK));

export const CounterState = z.object({
  distribution: z.object({ id: Id, name: z.string(), date: z.string(), acceptActuals: z.boolean(), rehearsal: z.boolean() }),
  viewer: z.object({
    id: Id,
    mayTakePayments: z.boolean(),
    /** Whether somebody has opened a till in the distribution while this user has no open till. */
    needsTill: z.boolean(),
  }),
  mark: z.string(),
  /** The products and fees; null if they have not changed since the client's last read. */
  catalogue: z.nullable(Catalogue),
  /**
   * The orders that changed since the client's last read. Null if the client has not read them before, or if too many orders changed. In
   * both cases, the client then reads all orders.
   */
  changed: z.nullable(z.array(CounterOrder)),
});
export type CounterState = z.infer<typeof CounterState>;

export const readCounter = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/counter',
  summary: 'What the counter shows beside the families; with `since`, a mark of an earlier reply, the families that changed after it',
  description: `Every change that is committed before the reply, and that the reply of the mark did not have, is in it; one may come twice. Without
a mark, \`changed\` is null: read the families afterwards, and ask with the mark from then on. If more families have changed than fit into one
reply, \`changed\` is null too, unless the request has a \`limit\`. With a \`limit\`, the reply is then a page, whose last family has a \`key\`: ask for
the next page with the same mark and \`after\` this key. After the last page, go on with the mark of the first one. Where the distribution accepts
no actual quantities, \`catalogue\` and \`changed\` are null.`,
  roles: ['distributor', 'agent'],
  query: z.extend(PageQuery, { since: z.optional(Mark) }),
  reply: CounterState,
});

export const listCounterOrders = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/counter-orders',
  summary: 'The families of the counter by order; with `limit` a part, `after` the key of its last row the next one',
  refusals: { 409: NOT_ACCEPTING_ACTUALS },
  roles: ['distributor', 'agent'],
  query: PageQuery,
  isLong: true,
  reply: z.array(CounterOrder),
});
