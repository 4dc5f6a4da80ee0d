// Defines the API calls for the distributor's reports on a distribution (spec §3, contract §9).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id } from '../../shared/fields.ts';
import { NextCursor, PageQuery } from '../../shared/pages.ts';

/** The label of an order's pick-up time, and its note. Each is absent if the order has none (contract §16). */
const Details = { slot: z.optional(z.string()), note: z.optional(z.string()) };

export const CustomerReportRow = z.object({
  customer_id: Id,
  email: z.nullable(z.string()),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  order_id: z.nullable(Id),
  order_quantity_count: z.int(),
  /** The number of ordered units that must be weighed. `actual_count` is the number of these units that are already weighed. */
  expected_count: z.int(),
  actual_count: z.int(),
  /** The number of weights that the customer recorded and staff have not confirmed. */
  unconfirmed_count: z.int(),
  has_all_actuals: z.boolean(),
  orderAmount: Amount,
  balance: Amount,
  /** The time when the order was picked up; absent if it was not picked up (contract §14). */
  pickedUpAt: z.optional(z.string()),
  ...Details,
  key: NextCursor,
});
export type CustomerReportRow = z.infer<typeof CustomerReportRow>;

export const readCustomerReport = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/customer-report',
  summary:
    'Every customer of the distributor with the state of their order; with `limit` a part, `after` the key of its last row the next one',
  roles: ['distributor', 'agent'],
  query: PageQuery,
  isLong: true,
  reply: z.array(CustomerReportRow),
});

export const ReportRow = z.object({
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  orderId: Id,
  productName: z.string(),
  /**
   * The part of the description that distinguishes the product from others with the same name in the distribution. Absent if no other
   * product has this name.
   */
  nameDetail: z.optional(z.string()),
  productCategory: z.nullable(z.string()),
  productCode: z.nullable(z.int()),
  quantity: z.int(),
  ...Details,
  key: NextCursor,
});
export type ReportRow = z.infer<typeof ReportRow>;

export const readReport = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/report',
  summary:
    'Every ordered line of a distribution; with `limit` whole orders of so many lines, `after` the key of the last one those behind it',
  roles: ['distributor'],
  query: PageQuery,
  isLong: true,
  reply: z.array(ReportRow),
});
