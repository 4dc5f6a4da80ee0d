// An upload is an import of products or customers. With these API calls, a distributor can undo an upload for 24 hours.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { Repriced } from '../catalogue/contract.ts';
import { STAY_REASONS, TOO_LATE, type StayReason } from './texts.ts';

export const ProductUpload = z.object({ id: Id, finishedAt: z.string(), added: z.int(), changed: z.int() });
export type ProductUpload = z.infer<typeof ProductUpload>;

export const readLastProductUpload = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/product-uploads',
  summary: 'The last upload of the last 24 hours that changed products and was not undone, or null',
  roles: ['distributor'],
  reply: z.nullable(ProductUpload),
});

export const beginProductUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads',
  summary: 'Begin an upload: keeps the products as they are now',
  description:
    'Calls that add or change a product as part of the upload send its id as `uploadId`. The ten uploads of a distributor that changed something last are kept.',
  roles: ['distributor'],
  reply: z.object({ id: Id }),
  status: 201,
  isExpensive: true,
  // A call that begins an upload copies all products of the distribution. It counts as 100 saves, or, if it copies
  // more than 2,000 products, as one save for each 20 of them.
  rows: 2000,
});

export const finishProductUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads/:uploadId/finish',
  summary: 'End an upload: keeps which products it added or changed',
  roles: ['distributor'],
  status: 204,
});

export const readUndoRepricing = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads/:uploadId/repricing',
  summary: 'Which orders undoing an upload would re-price, and by how much; nothing is changed',
  roles: ['distributor'],
  reply: Repriced,
});

export const undoProductUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads/:uploadId/undo',
  summary: 'Undo an upload, all or nothing: added products are deleted, changed ones are as before',
  description:
    'Within 24 hours, and only while none of its products was changed or ordered since. An upload that was not ended can be undone too.',
  refusals: { 409: TOO_LATE },
  roles: ['distributor'],
  status: 204,
  isExpensive: true,
});

export const CustomerUpload = z.object({ id: Id, finishedAt: z.string(), added: z.int() });
export type CustomerUpload = z.infer<typeof CustomerUpload>;

export const KeptCustomer = z.object({
  userId: Id,
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  reason: z.enum(Object.keys(STAY_REASONS) as StayReason[]),
});
export type KeptCustomer = z.infer<typeof KeptCustomer>;

/**
 * When an upload is undone, the reply lists at most this many of the customers who stay. A longer list would block the event loop. It cannot
 * be sent in parts, because the server stores the reply for the Idempotency-Key.
 */
export const MAX_KEPT_LISTED = 1000;

export const UndoneCustomers = z.object({
  removed: z.int(),
  /** The number of customers who stay. */
  stayed: z.int(),
  /** The first MAX_KEPT_LISTED of the customers who stay. */
  kept: z.array(KeptCustomer),
});
export type UndoneCustomers = z.infer<typeof UndoneCustomers>;

export const readLastCustomerUpload = endpoint({
  method: 'GET',
  path: '/api/customer-uploads',
  summary: 'The last upload of the last 24 hours that created customers and was not undone, or null',
  roles: ['distributor'],
  reply: z.nullable(CustomerUpload),
});

export const beginCustomerUpload = endpoint({
  method: 'POST',
  path: '/api/customer-uploads',
  summary: 'Begin an upload: `POST /api/users/customer` with its id as `uploadId` creates its customers',
  description: 'The ten uploads of a distributor that created somebody last are kept.',
  roles: ['distributor'],
  reply: z.object({ id: Id }),
  status: 201,
});

export const undoCustomerUpload = endpoint({
  method: 'POST',
  path: '/api/customer-uploads/:uploadId/undo',
  summary: 'Undo an upload, all or nothing: the customers it created are removed, and their invitations are withdrawn',
  description:
    'Within 24 hours. A customer who has done something since, or whom staff have changed, stays and is listed with the reason; of more than 1,000, the first 1,000 are listed, and `stayed` is the number of all. An upload changes no customer whom it did not create, so nothing else is to be restored.',
  refusals: { 409: TOO_LATE },
  roles: ['distributor'],
  reply: UndoneCustomers,
  idempotent: true,
  isExpensive: true,
});
