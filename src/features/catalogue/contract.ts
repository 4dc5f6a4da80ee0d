// What has re-priced the orders of a distribution (contract §4).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';

/** What decides what one of a product costs. */
export const ProductTerms = z.object({ unit_price: Amount, unit_qty: z.int(), unit_qty_is_estimate: z.boolean() });
export type ProductTerms = z.infer<typeof ProductTerms>;

export const FeeTerms = z.object({ name: z.string(), type: z.enum(['percent', 'flat']), amount: z.int(), sort_order: z.int() });
export type FeeTerms = z.infer<typeof FeeTerms>;

const Made = { id: Id, name: z.string(), updatedAt: z.string(), email: z.string() };

export const CatalogueChange = z.union([
  z.object({ ...Made, productId: Id, feeId: z.null(), before: ProductTerms, after: ProductTerms }),
  /** `before` is null where the fee is new, `after` where it is deleted. */
  z.object({ ...Made, productId: z.null(), feeId: Id, before: z.nullable(FeeTerms), after: z.nullable(FeeTerms) }),
]);
export type CatalogueChange = z.infer<typeof CatalogueChange>;

export const listCatalogueChanges = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/catalogue-changes',
  summary: 'Every change of a price or fee that re-priced orders, newest first',
  roles: ['distributor'],
  reply: z.array(CatalogueChange),
});
