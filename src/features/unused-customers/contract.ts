// A distributor can list and remove two kinds of unused customers: those who never signed in and never ordered, and those who joined through
// the join link and never ordered.
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

const JOINED_RULE =
  'A customer who joined through the join link is unused without an order and without an entry on a waiting list, if staff have not changed the contact.';

export const listUnusedCustomers = endpoint({
  method: 'GET',
  path: '/api/unused-customers',
  summary: 'The own customers who never signed in and have no order, the newest first',
  roles: ['distributor'],
  reply: z.array(UnusedCustomer),
});

export const listUnusedJoined = endpoint({
  method: 'GET',
  path: '/api/unused-customers/joined',
  summary: 'The own customers who joined through the join link and have no order, the newest first',
  description: JOINED_RULE,
  roles: ['distributor'],
  reply: z.array(UnusedCustomer),
});

export const removeUnusedCustomers = endpoint({
  method: 'POST',
  path: '/api/unused-customers/remove',
  summary: 'Remove unused customers, all or none; customers of the list who are used by now are kept',
  description: JOINED_RULE,
  roles: ['distributor'],
  body: z.object({
    userIds: z.array(Id).check(
      z.maxLength(MAX_USERS, tooManyText(MAX_USERS)),
      z.refine((ids) => new Set(ids).size === ids.length, LISTED_TWICE),
    ),
  }),
  reply: z.object({ removed: z.int(), kept: z.int() }),
});
