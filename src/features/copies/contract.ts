// The calls for copying a distribution, and for comparing its estimates with the recorded weights (contract §13).
import * as z from 'zod/mini';
import { ENOUGH_WEIGHED } from '../../domain/weights/estimates.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Id } from '../../shared/fields.ts';
import { Distribution, MAX_DISTRIBUTIONS, NewDistribution } from '../distributions/contract.ts';
import { tooManyDistributions } from '../distributions/texts.ts';
import { MAX_PRODUCTS, MAX_PRODUCTS_KEPT } from '../products/contract.ts';
import { COPY_OF_REHEARSAL, tooManyKept } from './texts.ts';

/**
 * A product whose unit quantity is an estimate, with its recorded weights. All weights are in the product's unit of measure, with at most
 * three decimals.
 */
export const Estimate = z.object({
  productId: Id,
  product_code: z.nullable(z.int()),
  name: z.string(),
  nameDetail: z.optional(z.string()),
  product_group: z.nullable(z.string()),
  uom: z.nullable(z.string()),
  /** The estimated quantity of one unit in the original distribution (`unit_qty`). */
  estimate: z.int(),
  /** The mean of the recorded weights; null while there are none. */
  mean: z.nullable(z.number()),
  /** The standard deviation of the recorded weights; null with fewer than two. */
  spread: z.nullable(z.number()),
  weighed: z.int(),
  /** The measured estimate, which the product can get in a copy; null if too few units are weighed. */
  proposed: z.nullable(z.int()),
});
export type Estimate = z.infer<typeof Estimate>;

export const readEstimates = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/estimates',
  summary: 'The estimate products of a distribution with what was weighed of each, by group, code and name',
  description: `From ${ENOUGH_WEIGHED} weighed units on, \`proposed\` is their mean rounded half up to a whole number of at least 1. A unit recorded as 0 was not delivered and does not count.`,
  roles: ['distributor'],
  reply: z.array(Estimate),
});

const CopyOptions = z.extend(NewDistribution, {
  /**
   * 'same' gives every product of the copy the estimate of the original. 'measured' gives a measured estimate to the products with enough
   * weights.
   */
  estimates: z.enum(['same', 'measured']),
  /** The ids of products that keep their estimate although a measured estimate is proposed. */
  keep: z._default(z.array(Id).check(z.maxLength(MAX_PRODUCTS_KEPT, tooManyKept(MAX_PRODUCTS_KEPT))), []),
});

export const copyDistribution = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/copy',
  summary: 'Copy products, fees and the order of groups into a new draft that is open for ordering; nothing else is copied',
  roles: ['distributor'],
  refusals: { 409: `${tooManyDistributions(MAX_DISTRIBUTIONS)} ${COPY_OF_REHEARSAL}` },
  body: CopyOptions,
  reply: Distribution,
  status: 201,
  // Sums all weights of the original for measured estimates.
  isExpensive: true,
  idempotent: true,
  rows: MAX_PRODUCTS,
});
