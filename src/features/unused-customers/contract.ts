// A distributor can list and remove customers who never signed in and never ordered.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { MAX_USERS } from '../users/contract.ts';
import { LISTED_TWICE, tooManyText } from './texts.ts';

export const UnusedCustomer = z.object({
  userId: Id,
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
});
export type UnusedCustomer = z.infer<typeof UnusedCustomer>;

export const listUnusedCustomers = endpoint({
  method: 'GET',
  path: '/api/unused-customers',
  summary: 'The own customers who never signed in and have no order, the newest first',
  roles: ['distributor'],
  reply: z.array(UnusedCustomer),
});

export const removeUnusedCustomers = endpoint({
  method: 'POST',
  path: '/api/unused-customers/remove',
  summary: 'Remove customers who never signed in and have no order, all or none; the others of the list are kept',
  roles: ['distributor'],
  body: z.object({
    userIds: z.array(Id).check(
      z.maxLength(MAX_USERS, tooManyText(MAX_USERS)),
      z.refine((ids) => new Set(ids).size === ids.length, LISTED_TWICE),
    ),
  }),
  reply: z.object({ removed: z.int(), kept: z.int() }),
});
