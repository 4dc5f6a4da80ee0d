// The calls about an upload, which is the import of a products file. The last upload can be undone for 24 hours.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { TOO_LATE } from './texts.ts';

export const ProductUpload = z.object({ id: Id, finishedAt: z.string(), added: z.int(), changed: z.int() });
export type ProductUpload = z.infer<typeof ProductUpload>;

export const readLastUpload = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/product-uploads',
  summary: 'The last upload of the last 24 hours that changed products and was not undone, or null',
  roles: ['distributor'],
  reply: z.nullable(ProductUpload),
});

export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads',
  summary: 'Begin an upload: keeps the products as they are now',
  description: 'The three newest uploads of a distribution are kept.',
  roles: ['distributor'],
  reply: z.object({ id: Id }),
  status: 201,
  isHeavy: true,
});

export const finishUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads/:uploadId/finish',
  summary: 'End an upload: keeps which products were added or changed since it began',
  roles: ['distributor'],
  status: 204,
});

export const undoUpload = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/product-uploads/:uploadId/undo',
  summary: 'Undo an upload, all or nothing: added products are deleted, changed ones are as before',
  description: 'Within 24 hours, and only while none of its products was changed or ordered since.',
  refusals: { 409: TOO_LATE },
  roles: ['distributor'],
  status: 204,
});
