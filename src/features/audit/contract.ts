// The call that reads the audit trail of a distribution: who changed orders, weights, prices, fees, payments, flags and users' access, and
// when.
import * as z from 'zod/mini';
import { PAYMENT_METHODS } from '../../domain/payment.ts';
import { ROLES } from '../../domain/accounts/roles.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, Id, text } from '../../shared/fields.ts';
import { pageSize } from '../../shared/pages.ts';
import { FeeTerms } from '../catalogue/contract.ts';
import { CONTACT_FIELDS } from '../contact/contract.ts';
import { Distribution } from '../distributions/contract.ts';
import { ProductTerms } from '../products/contract.ts';

export const AUDIT_KINDS = ['quantity', 'weight', 'price', 'fee', 'payment', 'distribution', 'person', 'contact'] as const;

const USER_ACTS = [
  'invite',
  'unlock',
  'disable',
  'enable',
  'sign-out',
  'mend',
  'remove',
  'undo-upload',
  'allow-payments',
  'forbid-payments',
  'forget',
  'second-factor-on',
  'second-factor-off',
  'recovery-code',
  'require-second-factor',
  'release-second-factor',
] as const;
export type UserAction = (typeof USER_ACTS)[number];

/** The default and the maximum number of rows per page. */
const DEFAULT_PAGE_ROWS = 100;
const MAX_PAGE_ROWS = 1000;

const DistributionTerms = z.partial(z.omit(Distribution, { id: true, distributorId: true }));

/** The fields of an order besides its lines, such as the note and the pick-up time. */
export const OrderTerms = z.object({
  pickedUp: z.optional(z.boolean()),
  note: z.optional(z.nullable(z.string())),
  /** The label of the pick-up time. */
  slot: z.optional(z.nullable(z.string())),
  /** The names of products of which staff ordered more than the limit allows. */
  beyondLimits: z.optional(z.array(z.string())),
});

const ContactTerms = z.partialRecord(z.enum(CONTACT_FIELDS), z.string());
const Person = z.object({ email: z.nullable(z.string()), firstName: z.nullable(z.string()), lastName: z.nullable(z.string()) });
/**
 * The fields of every row. In this base schema most fields are always null. The schema of each kind of change overrides the fields that
 * have values for this kind.
 */
const Change = {
  key: z.string(),
  at: z.string(),
  by: z.string(),
  byRole: z.enum(ROLES),
  person: z.null(),
  orderId: z.null(),
  item: z.null(),
  nameDetail: z.optional(z.undefined()),
  productCode: z.null(),
};
const OfOrder = { person: Person, orderId: Id };
const OfProduct = { item: z.string(), nameDetail: z.optional(z.string()), productCode: z.nullable(z.int()) };

export const AuditRow = z.discriminatedUnion('kind', [
  z.object({ ...Change, kind: z.literal('quantity'), ...OfOrder, ...OfProduct, detail: z.object({ from: z.int(), to: z.int() }) }),
  /**
   * A changed weight. `unit` is the unit's number within its order line, from 1. `from` is null if the unit had no weight; `to` is null if
   * the weight was removed.
   */
  z.object({
    ...Change,
    kind: z.literal('weight'),
    ...OfOrder,
    ...OfProduct,
    detail: z.object({ unit: z.int(), uom: z.nullable(z.string()), from: z.nullable(z.number()), to: z.nullable(z.number()) }),
  }),
  /** A change of an order's other fields, such as the note. The filter for quantities finds these changes too. */
  z.object({ ...Change, kind: z.literal('order'), ...OfOrder, detail: z.object({ before: OrderTerms, after: OrderTerms }) }),
  z.object({ ...Change, kind: z.literal('price'), ...OfProduct, detail: z.object({ before: ProductTerms, after: ProductTerms }) }),
  /** A changed fee. `before` is null for a new fee, and `after` is null for a deleted fee. */
  z.object({
    ...Change,
    kind: z.literal('fee'),
    item: z.string(),
    detail: z.object({ before: z.nullable(FeeTerms), after: z.nullable(FeeTerms) }),
  }),
  /** A payment, or a reversal with a negative amount. */
  z.object({
    ...Change,
    kind: z.literal('payment'),
    ...OfOrder,
    detail: z.object({ amount: Amount, feeAmount: Amount, paymentMethod: z.enum(PAYMENT_METHODS), description: z.nullable(z.string()) }),
  }),
  /** A change of the distribution. `before` and `after` contain the changed fields; `before` is null for a new distribution. */
  z.object({
    ...Change,
    kind: z.literal('distribution'),
    /** Null if ordering was closed automatically at its closing time. The field `by` is then 'the clock'. */
    byRole: z.nullable(z.enum(ROLES)),
    detail: z.object({ before: z.nullable(DistributionTerms), after: DistributionTerms }),
  }),
  /**
   * An action on the access of a customer or agent, such as disabling the account. The access belongs to no single distribution. The audit
   * trail of a distribution therefore contains all actions on access since the distribution was created.
   */
  z.object({
    ...Change,
    kind: z.literal('person'),
    /** The affected person; null when several customers were removed at once. */
    person: z.nullable(Person),
    detail: z.object({ act: z.enum(USER_ACTS), previousEmail: z.nullable(z.string()), removed: z.optional(z.int()) }),
  }),
  /**
   * A correction that staff made in the contact of a customer or agent since the distribution was created. An empty field has the value ''.
   */
  z.object({ ...Change, kind: z.literal('contact'), person: Person, detail: z.object({ before: ContactTerms, after: ContactTerms }) }),
]);
export type AuditRow = z.infer<typeof AuditRow>;

const KEY = /^\d{1,16}\.[1-8]\.\d{1,10}$/;

/** Returns the schema for the query of a list of changes. `size` is the number of rows when the query has no `limit`. */
export const changesQuery = (size: number) =>
  z.object({
    limit: z.prefault(pageSize(MAX_PAGE_ROWS), String(size)),
    /** The key of the last row that the client has loaded. */
    after: z.optional(z.string('after must be the key of a change').check(z.regex(KEY, 'after must be the key of a change'))),
  });

export const AuditQuery = z.extend(changesQuery(DEFAULT_PAGE_ROWS), {
  kind: z.optional(z.enum(AUDIT_KINDS, 'kind must be a kind of change')),
  /** Filters by a part of the name or e-mail address of the actor or the affected person. */
  person: z.optional(text('person')),
  /** Filters by a part of the product, fee or payment. */
  text: z.optional(text('text')),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/audit',
  summary: 'Who changed what and when, newest first, in parts: `after` is the key of the last row of the part before',
  roles: ['distributor'],
  query: AuditQuery,
  reply: z.array(AuditRow),
});
