// The calls that list the changes that re-priced orders, and that preview a planned change (contract §4).
import * as z from 'zod/mini';
import { BODY_LIMIT, endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';
import { PageQuery } from '../../shared/pages.ts';
import { MAX_FEES, NewFee } from '../fees/contract.ts';
import { tooManyFees } from '../fees/texts.ts';
import { affordable, MAX_PRODUCTS_KEPT, ProductTerms } from '../products/contract.ts';
import { tooManyAtOnce } from '../products/texts.ts';

/** The maximum number of changes in one page of the history. */
export const MAX_CHANGES = 500;

export const FeeTerms = z.object({ name: z.string(), type: z.enum(['percent', 'flat']), amount: z.int(), sort_order: z.int() });
export type FeeTerms = z.infer<typeof FeeTerms>;

const ChangedBy = { key: z.string(), id: Id, name: z.string(), updatedAt: z.string(), email: z.string() };

export const CatalogueChange = z.union([
  z.object({ ...ChangedBy, productId: Id, feeId: z.null(), before: ProductTerms, after: ProductTerms }),
  /** A changed fee. `before` is null for a new fee, and `after` is null for a deleted one. */
  z.object({ ...ChangedBy, productId: z.null(), feeId: Id, before: z.nullable(FeeTerms), after: z.nullable(FeeTerms) }),
]);
export type CatalogueChange = z.infer<typeof CatalogueChange>;

export const listCatalogueChanges = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/catalogue-changes',
  summary: `The changes of a price or fee that re-priced orders, newest first, in parts of ${MAX_CHANGES} or \`limit\`: \`after\` is the key of the last row of the part before`,
  roles: ['distributor'],
  query: PageQuery,
  reply: z.array(CatalogueChange),
});

const ids = z._default(z.array(Id).check(z.maxLength(MAX_PRODUCTS_KEPT, `At most ${MAX_PRODUCTS_KEPT} at once`)), []);

/** A change of products and fees that is planned but not saved. An absent field changes nothing. */
export const PlannedChange = z.object({
  products: z._default(
    z.array(z.extend(ProductTerms, { id: Id }).check(affordable)).check(z.maxLength(MAX_PRODUCTS_KEPT, tooManyAtOnce(MAX_PRODUCTS_KEPT))),
    [],
  ),
  /** The products whose ordered quantities the planned change would set to 0. */
  cleared: ids,
  newFees: z._default(z.array(NewFee).check(z.maxLength(MAX_FEES, tooManyFees(MAX_FEES))), []),
  changedFees: z._default(z.array(z.extend(FeeTerms, { id: Id })).check(z.maxLength(MAX_FEES, tooManyFees(MAX_FEES))), []),
  deletedFees: ids,
});
export type PlannedChange = z.output<typeof PlannedChange>;
export type PlannedChangeInput = z.input<typeof PlannedChange>;

const CountedOrders = z.object({
  count: z.int(),
  /** The first affected customers in the sequence of their names. */
  customers: z.array(z.object({ firstName: z.nullable(z.string()), lastName: z.nullable(z.string()), email: z.nullable(z.string()) })),
});
export type CountedOrders = z.infer<typeof CountedOrders>;

/** The orders that a planned change would re-price, and their totals. */
export const Repriced = z.object({
  orders: CountedOrders,
  paid: CountedOrders,
  /** The changed products that these orders contain: their number, and the names of the first ones in the sequence of the catalogue. */
  products: z.object({ count: z.int(), names: z.array(z.string()) }),
  /** The number of ordered units of the changed products. */
  units: z.int(),
  /** The sums of the totals of the re-priced orders, before and after the change. */
  before: Amount,
  after: Amount,
});
export type Repriced = z.infer<typeof Repriced>;

export const readRepricingPreview = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/repricing',
  summary: 'Which orders a change of prices, fees or quantities would re-price, and by how much; nothing is changed',
  roles: ['distributor'],
  body: PlannedChange,
  reply: Repriced,
  bodyLimit: 2 * BODY_LIMIT,
  // Each changed product has 5 values. For each product, each of the two lists of ids has one more.
  maxValues: 7 * MAX_PRODUCTS_KEPT + 1000,
});
