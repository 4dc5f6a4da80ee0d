// Fees of a distribution: percent in basis points, flat in cents (spec §3, §5, §9).
import * as z from 'zod/mini';
import { MAX_CENTS } from '../../domain/money.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Id, requiredText } from '../../shared/fields.ts';

const HUNDRED_PERCENT = 10_000;

const FeeFields = {
  name: requiredText('Name'),
  type: z.enum(['percent', 'flat']),
  sort_order: z._default(z.int().check(z.gte(0, 'Sort order must be non-negative'), z.lte(1_000_000, 'Sort order is too large')), 0),
  amount: z.int().check(z.gte(0, 'Amount must be non-negative'), z.lte(MAX_CENTS, 'Amount is too large')),
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
  .check(
    z.refine((fee) => fee.type === 'flat' || fee.amount <= HUNDRED_PERCENT, { message: 'A percent fee is at most 100%', path: ['amount'] }),
  );

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
  roles: ['distributor'],
  body: NewFee,
  reply: Fee,
  status: 201,
});

export const deleteFee = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id/fees/:feeId',
  summary: 'Delete a fee',
  roles: ['distributor'],
  status: 204,
});
