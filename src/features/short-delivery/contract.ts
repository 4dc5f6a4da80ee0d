// The call that shares out a short delivery: fewer units of a product were delivered than ordered (contract §16).
import * as z from 'zod/mini';
import { MAX_QUANTITY } from '../../domain/order.ts';
import { SHARING_RULES } from '../../domain/ordering/short-delivery.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { tooLarge } from '../../shared/texts.ts';
import { MAX_BULK_PER_MAILBOX } from '../emails/contract.ts';
import { CHANGED_SINCE, NOTHING_SHORT, UNITS_NAME, UNITS_NOT_WHOLE } from './texts.ts';

export const Share = z.object({
  orderId: Id,
  customerId: Id,
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  ordered: z.int(),
  gets: z.int(),
  hasPayments: z.boolean(),
  isPickedUp: z.boolean(),
});
export type Share = z.infer<typeof Share>;

/** Counts the orders that get less than they ordered. */
const Lowered = z.object({
  orders: z.int(),
  paid: z.int(),
  /** The number of orders with recorded weights of this product. */
  weighed: z.int(),
  /** The number of orders with recorded weights of units that they lose. */
  losingWeights: z.int(),
  pickedUp: z.int(),
});
export type Lowered = z.infer<typeof Lowered>;

/**
 * When shares are applied to at most this many orders, the reply lists the shares. A longer list would block the event loop. It cannot be
 * sent in parts, because the server stores the reply for the Idempotency-Key.
 */
export const MAX_SHARES_APPLIED = 5000;

const ShareRequest = z.object({
  units: z.int(UNITS_NOT_WHOLE).check(z.gte(0, UNITS_NOT_WHOLE), z.lte(MAX_QUANTITY, tooLarge(UNITS_NAME))),
  rule: z.enum(SHARING_RULES),
  /** If `preview` is true, the server only returns the shares and changes nothing. */
  preview: z._default(z.boolean(), false),
  /** If `notify` is true, the server queues a mail to each customer who gets less. */
  notify: z._default(z.boolean(), false),
  /** The number of ordered units that the preview showed. If the number has changed since the preview, the server replies 409. */
  ordered: z.optional(z.int()),
  /** The `quantitiesHash` of the preview. If what the hash covers has changed since the preview, the server replies 409. */
  quantitiesHash: z.optional(z.string().check(z.maxLength(100))),
});

export const shareOut = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/products/:productId/share',
  summary:
    'Share out what came of a product where that is less than what was ordered: the orders are lowered; with `preview` nothing is changed',
  description: `The reply says who gets how many, and how many of the lowered orders have payments, have recorded weights of the product, or were picked up. With \`preview: true\` nothing is changed; the reply to a request that divides the units among more than 5,000 orders lists no shares, only its preview does. A request with the preview’s \`quantitiesHash\` is refused if an ordered quantity has changed since, or what it says about payments, weights and hand-overs of the lowered orders. Otherwise the orders are lowered, all or none, \`originalQuantity\` stays, and weights of units that are gone are dropped; \`notify: true\` queues one mail to each customer who gets less, unless the customer already gets ${MAX_BULK_PER_MAILBOX} bulk mails and mails about short deliveries within a day. \`proportional\` gives each order the same part and the rest to the largest remainders, \`first\` serves in the order of first placing. It works after closing too. What came becomes the product’s \`total_limit\`, and a product of which nothing came is not offered any more; a copy of the distribution has the product with the limit before.`,
  refusals: { 409: `${NOTHING_SHORT} ${CHANGED_SINCE}` },
  roles: ['distributor'],
  body: ShareRequest,
  reply: z.object({
    /** The number of units that were ordered before the change. */
    ordered: z.int(),
    units: z.int(),
    applied: z.boolean(),
    /**
     * A hash of each order's id and quantity, and of what `lowered` counts of each order. A request that applies this preview, with the
     * same units and rule, sends the hash.
     */
    quantitiesHash: z.string(),
    lowered: Lowered,
    /**
     * The shares are sorted by the time when each customer first ordered the product. The list is empty if the shares
     * were applied and there are more than MAX_SHARES_APPLIED of them.
     */
    shares: z.array(Share),
  }),
  // Changes up to as many orders as there are customers. A preview only reads them.
  isExpensive: true,
  idempotent: true,
});
