// The calls for payments of orders and their reversals (spec §3, §5, §7; contract §7, §9).
import * as z from 'zod/mini';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Weights } from '../actuals/contract.ts';
import { Amount, amount, Id, nullableText, requiredText } from '../../shared/fields.ts';
import { NextCursor, PageQuery } from '../../shared/pages.ts';
import { DESCRIPTION, FEE, PAYMENT_AMOUNT, tooManyPayments, tooManyPaymentsForAgents } from './texts.ts';
import {
  DESCRIPTION_WANTED,
  FEE_ABOVE_PAYMENT,
  FEE_WITHOUT_CARD,
  NEGATIVE_FEE,
  NOT_ALL_WEIGHED,
  PAYMENT_TOO_SMALL,
  REVERSAL_STANDS,
  REVERSED_ALREADY,
} from '../../domain/texts.ts';

export const MAX_DESCRIPTION_LENGTH = 500;

const Method = z.enum(PAYMENT_METHODS);

export const NewPayment = z.object({
  amount: amount(PAYMENT_AMOUNT, PAYMENT_TOO_SMALL),
  paymentMethod: Method,
  description: z._default(nullableText(DESCRIPTION, MAX_DESCRIPTION_LENGTH), null),
  feeAmount: z._default(amount(FEE, NEGATIVE_FEE), 0 as z.output<typeof Amount>),
});

/**
 * `seenWeights` contains the unconfirmed weights of the customer on which the amount is based. If the amount is above the balance, the server
 * first restores those that the customer has changed since.
 */
const SeenPayment = z.extend(NewPayment, { seenWeights: z.optional(Weights) });

const Payment = z.object({
  id: Id,
  orderId: Id,
  /** The paid amount. In a reversal, it is negative, and so is `feeAmount`. */
  amount: Amount,
  paymentMethod: Method,
  description: z.nullable(z.string()),
  feeAmount: Amount,
  createdAt: z.string(),
  createdBy: Id,
  updatedAt: z.string(),
  updatedBy: Id,
  reversesId: z.nullable(Id),
});

/** The maximum number of payments of one order. Reversals do not count, so that each payment can be reversed. */
export const MAX_PAYMENTS = 1100;
/** Agents stop earlier, so that no agent can use up the payments with which the distributor settles the order. */
export const MAX_PAYMENTS_FOR_AGENTS = 1000;

export const recordPayment = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/payments',
  summary: 'Record a payment: once everything is weighed, and not above the balance',
  description: `${FEE_WITHOUT_CARD} ${FEE_ABOVE_PAYMENT} ${DESCRIPTION_WANTED} \`seenWeights\` may name the customer's weights on which the
amount is based, by \`{orderProductId}-{index}\`: if the amount is above the balance, those that the customer
has recorded and changed since are first restored. Weights of staff do not change.`,
  refusals: {
    409: `${NOT_ALL_WEIGHED} The payment is above the balance. ${tooManyPaymentsForAgents(MAX_PAYMENTS_FOR_AGENTS)} ${tooManyPayments(MAX_PAYMENTS)}`,
  },
  roles: ['distributor', 'agent'],
  agentPermission: 'mayTakePayments',
  body: SeenPayment,
  reply: Payment,
  status: 201,
  idempotent: true,
});

export const NewReversal = z.object({ description: requiredText(DESCRIPTION, MAX_DESCRIPTION_LENGTH) });

export const reversePayment = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/payments/:paymentId/reverse',
  summary: 'Take a wrong payment back, once: a row with the negative amounts',
  refusals: { 409: `${REVERSAL_STANDS} ${REVERSED_ALREADY}` },
  roles: ['distributor'],
  body: NewReversal,
  reply: Payment,
  status: 201,
  idempotent: true,
});

/** A payment with the name and e-mail address of the customer who paid (spec §3 payment row). */
export const PaymentRow = z.object({
  payments: z.extend(
    z.pick(Payment, {
      id: true,
      orderId: true,
      amount: true,
      feeAmount: true,
      paymentMethod: true,
      description: true,
      createdAt: true,
      reversesId: true,
    }),
    {
      isReversed: z.boolean(),
      /** The till in which the payment was recorded; absent if the user had no open till (contract §15). */
      tillId: z.optional(Id),
    },
  ),
  contacts: z.object({ firstName: z.nullable(z.string()), lastName: z.nullable(z.string()) }),
  users: z.object({ email: z.nullable(z.string()) }),
  key: NextCursor,
});
export type PaymentRow = z.infer<typeof PaymentRow>;

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/payments',
  summary:
    'The payments of a distribution and their reversals, newest first; with `limit` a part, `after` the key of its last row the next one',
  roles: ['distributor'],
  query: PageQuery,
  isLong: true,
  reply: z.array(PaymentRow),
});
