// The calls for the fees of a distribution. A percent fee is in basis points, a flat fee in cents (spec §3, §5, §9).
import * as z from 'zod/mini';
import { MAX_CENTS } from '../../domain/money.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Before, Id, requiredText } from '../../shared/fields.ts';
import { AMOUNT, FEE_TOO_HIGH, NAME, NEGATIVE_AMOUNT, NEGATIVE_SORT_ORDER, SORT_ORDER, tooManyFees } from './texts.ts';
import { outdatedText, tooLarge } from '../../shared/texts.ts';

export const HUNDRED_PERCENT = 10_000;
/**
 * The maximum number of fees per distribution. The specification sets no maximum. With 20 fees of at most 100% each, every total is still
 * an exact integer of cents.
 */
export const MAX_FEES = 20;
const WITHIN_BOUNDS = `A percent fee is at most ${HUNDRED_PERCENT} basis points (100%).`;

const SortOrder = z.int().check(z.gte(0, NEGATIVE_SORT_ORDER), z.lte(1_000_000, tooLarge(SORT_ORDER)));
const Amount = z.int().check(z.gte(0, NEGATIVE_AMOUNT), z.lte(MAX_CENTS, tooLarge(AMOUNT)));
const FeeFields = {
  name: requiredText(NAME),
  type: z.enum(['percent', 'flat']),
  sort_order: z._default(SortOrder, 0),
  amount: z._default(Amount, 0),
};

export const Fee = z.object({
  id: Id,
  distributionId: Id,
  name: z.string(),
  type: z.enum(['percent', 'flat']),
  sort_order: z.int(),
  amount: z.int(),
});
export type Fee = z.infer<typeof Fee>;

export const NewFee = z
  .object(FeeFields)
  .check(z.refine((fee) => fee.type === 'flat' || fee.amount <= HUNDRED_PERCENT, { message: FEE_TOO_HIGH, path: ['amount'] }));

export const listFees = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/fees',
  summary: 'The fees of a distribution, in the order they are charged',
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(Fee),
});

export const addFee = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/fees',
  summary: 'Add a fee',
  description: `${tooManyFees(MAX_FEES)} ${WITHIN_BOUNDS}`,
  roles: ['distributor'],
  body: NewFee,
  reply: Fee,
  idempotent: true,
  status: 201,
});

/** The change of a fee. Omitted fields keep their values, and the resulting fee must satisfy the rules of a new fee. */
const ChangedFee = z.extend(z.partial(z.object({ ...FeeFields, sort_order: SortOrder, amount: Amount })), { before: Before });

export const changeFee = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id/fees/:feeId',
  summary: 'Change a fee',
  description: WITHIN_BOUNDS,
  refusals: { 409: outdatedText('Delivery') },
  roles: ['distributor'],
  body: ChangedFee,
  reply: Fee,
});

export const deleteFee = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id/fees/:feeId',
  summary: 'Delete a fee',
  roles: ['distributor'],
  status: 204,
});
