// The calls that read and save the actual quantities of estimate products (spec §3, §7; contract §6, §9).
import * as z from 'zod/mini';
import { parseUnitKey, unitOfSentKey, weightsAndBases } from '../../domain/weights/actuals.ts';
import { ROLES } from '../../domain/accounts/roles.ts';
import { NOT_ACCEPTING_ACTUALS, RECORDED_BY_STAFF, WEIGHTS_ARE_FINAL } from '../../domain/texts.ts';
import { MAX_WEIGHT } from '../../domain/weights/weight.ts';
import { numberText } from '../../shared/counted.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';
import { NextCursor, PageQuery } from '../../shared/pages.ts';
import { BAD_KEY, BAD_NUMBER, NEGATIVE_INDEX, NO_MAP, TOO_MANY, TOO_MANY_OF_ORDER } from './texts.ts';

export const MAX_AT_ONCE = 5000;
/**
 * The maximum number of recorded weights of one order. There is a maximum because each read of an order, and each report, contains all
 * recorded weights of the order.
 */
export const MAX_PER_ORDER = 10_000;

export const Recorded = z.object({
  /** The position of the unit within its order line, starting with 0. */
  sortOrder: z.int(),
  actualQuantity: z.number(),
});

/** A recorded weight with the role of the user who recorded it, because staff must confirm a weight that the customer recorded. */
const RecordedBy = z.extend(Recorded, { byRole: z.enum(ROLES) });

export const ProductToWeigh = z.object({
  orderProductId: Id,
  productId: Id,
  quantityOrdered: z.int(),
  productCode: z.nullable(z.int()),
  name: z.string(),
  description: z.nullable(z.string()),
  unit_qty: z.int(),
  unit_price: Amount,
  uom: z.nullable(z.string()),
  /**
   * The range of usual weights of the product in this distribution (contract §14). Only staff get it, and only when enough units are
   * weighed.
   */
  usual: z.optional(z.object({ from: z.number(), to: z.number() })),
  actuals: z.array(RecordedBy),
});
export type ProductToWeigh = z.infer<typeof ProductToWeigh>;

export const OrderForActuals = z.object({
  id: Id,
  distributionId: Id,
  distributionName: z.string(),
  distributionDate: z.string(),
  /** Present only when the order belongs to a rehearsal. */
  rehearsal: z.optional(z.literal(true)),
  customerId: Id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  acceptActuals: z.boolean(),
  /** The reason why the viewer may not enter weights now, or null. */
  whyNot: z.nullable(z.string()),
  /** The products, sorted as on the printed order. */
  products: z.array(ProductToWeigh),
});
export type OrderForActuals = z.infer<typeof OrderForActuals>;

export const readOrderForActuals = endpoint({
  method: 'GET',
  path: '/api/order-for-actuals/:orderId',
  summary: 'The weighed products of an order and what is recorded of each unit',
  roles: ['distributor', 'agent', 'customer'],
  reply: OrderForActuals,
});

/**
 * The weights of a save. A key '{orderProductId}-{index}' has the new weight of a unit. A key '{orderProductId}-{index}-was' has the weight
 * that the user saw before.
 */
export const Weights = z.record(z.string(), z.nullable(z.number(BAD_NUMBER)), NO_MAP).check(
  z.refine((sent) => Object.keys(weightsAndBases(sent).weights).length <= MAX_AT_ONCE, TOO_MANY),
  z.refine((sent) => Object.entries(sent).every(([key, value]) => value !== null || unitOfSentKey(key) !== key), BAD_NUMBER),
  // A negative unit index has its own error message (spec §5).
  z.refine((sent) => !Object.keys(sent).some((key) => /^\d+--\d+$/.test(key)), { message: NEGATIVE_INDEX, abort: true }),
  z.refine((sent) => Object.keys(sent).every((key) => parseUnitKey(unitOfSentKey(key)) !== null), BAD_KEY),
);

const WEIGHT_BOUNDS = `A weight is between 0 and ${numberText(MAX_WEIGHT)} with at most three decimals.`;

export const saveActuals = endpoint({
  method: 'POST',
  path: '/api/order-product-quantities/:orderId',
  summary: 'Record weights of an order; only the units that are sent change',
  description: `Keys are \`{orderProductId}-{index}\`, values weights. Beside a weight, \`{orderProductId}-{index}-was\` may name the recorded
weight that it is based on, null for none: where another one is recorded now, the answer is 409, nothing is saved, and the problem's \`units\`
list each such unit with the weight that is recorded and by whom. Without it the last write wins. A weight of staff replaces a customer's
weight, also a newer one. A customer's other value for a weight that staff recorded is 409. ${WEIGHT_BOUNDS} At most ${numberText(MAX_AT_ONCE)} weights a call.`,
  refusals: {
    409: `Another weight is recorded by now. ${TOO_MANY_OF_ORDER} For customers: ${RECORDED_BY_STAFF} ${NOT_ACCEPTING_ACTUALS} ${WEIGHTS_ARE_FINAL}`,
  },
  roles: ['distributor', 'agent', 'customer'],
  body: Weights,
  reply: z.object({ message: z.string() }),
  idempotent: true,
});

export const removeWeight = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/remove-weight',
  summary: 'Set one unit of an order back to not weighed',
  description: 'Where `was` is sent and staff have recorded another weight now, the answer is 409 and the weight stays.',
  roles: ['distributor', 'agent'],
  body: z.object({
    orderProductId: Id,
    /** The position of the unit within its order line, starting with 0. */
    index: z.int(BAD_KEY).check(z.nonnegative(NEGATIVE_INDEX)),
    /** The recorded weight that the user saw. If the recorded weight has changed since then, the server refuses the request. */
    was: z.optional(z.number(BAD_NUMBER)),
  }),
  reply: z.object({ message: z.string() }),
  idempotent: true,
});

export const OrderedLine = z.object({
  orderId: Id,
  orderProductId: Id,
  productId: Id,
  quantity: z.int(),
  productCode: z.nullable(z.int()),
  productName: z.string(),
  nameDetail: z.optional(z.string()),
  unit_qty: z.int(),
  uom: z.nullable(z.string()),
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  key: NextCursor,
});
export type OrderedLine = z.infer<typeof OrderedLine>;

export const RecordedUnit = z.object({
  orderProductId: Id,
  sortOrder: z.int(),
  actualQuantity: z.number(),
  updatedAt: z.string(),
  /** The e-mail address of the user who recorded the weight. */
  by: z.string(),
  byRole: z.enum(ROLES),
});
export type RecordedUnit = z.infer<typeof RecordedUnit>;

export const readActualsReport = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/actuals-report',
  summary:
    'Every ordered line that is weighed, and the weights of its units; with `limit` whole orders of so many lines, `after` the key of the last one those behind it',
  roles: ['distributor'],
  query: PageQuery,
  isLong: true,
  reply: z.object({ reportData: z.array(OrderedLine), actualsData: z.array(RecordedUnit) }),
});
