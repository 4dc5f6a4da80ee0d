// The calls that erase a customer's personal data (contract §18). The code calls this "to forget a customer".
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { moneyIsDueText, stillOpenText } from './texts.ts';

export const checkForgetting = endpoint({
  method: 'GET',
  path: '/api/users/customer/:userId/forget',
  summary: 'Whether a customer can be forgotten now, and until when the backups still hold the data',
  roles: ['distributor'],
  reply: z.object({
    /** The reason why the customer's data cannot be erased now; null if it can. */
    refusal: z.nullable(z.string()),
    /** The time after which no backup contains the customer's data any more; null if the installation makes no automatic backups. */
    inBackupsUntil: z.nullable(z.string()),
  }),
});

export const forgetCustomer = endpoint({
  method: 'POST',
  path: '/api/users/customer/:userId/forget',
  summary: 'Delete all that says who a customer is, for good; orders, weights and payments stay under `Former customer 123`',
  refusals: { 409: `${moneyIsDueText(['Passover 2027'])} ${stillOpenText(['Passover 2027'])}` },
  roles: ['distributor'],
  status: 204,
  // Changes all mails, orders and waiting lists of the customer.
  isExpensive: true,
  idempotent: true,
});
