// The calls for distributions. A distribution is an ordering event on a date, with three flags (spec §3, §4).
import * as z from 'zod/mini';
import { CLOSED_FOR_GOOD, CLOSING_IS_FINAL, CLOSING_IS_PAST, CLOSING_NOT_AFTER_OPENING, REHEARSAL_STAYS } from '../../domain/texts.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Before, CalendarDate, Id, instant, requiredText } from '../../shared/fields.ts';
import { outdatedText } from '../../shared/texts.ts';
import {
  GROUP_NAME,
  GROUP_TWICE,
  HAS_ORDERS,
  NAME,
  NOT_A_DRAFT,
  REMIND_HOURS,
  tooLongGroups,
  TOO_MANY_GROUPS,
  tooManyDistributions,
} from './texts.ts';

/** The maximum number of product groups in `groupOrder`. */
export const MAX_GROUPS = 1000;
/** The maximum number of characters of all groups in `groupOrder` together. */
export const MAX_GROUP_ORDER = 20_000;
/** The maximum of `remindHours`: customers are reminded at most a week before ordering closes. */
export const MAX_REMIND_HOURS = 168;

export const Distribution = z.object({
  id: Id,
  distributorId: Id,
  name: z.string(),
  date: z.string(),
  published: z.boolean(),
  acceptActuals: z.boolean(),
  /** Whether customers can still order. False from `closesAt` on, by the clock of the database. */
  orderingOpen: z.boolean(),
  /**
   * The product groups in the sequence in which they are shown; groups that are missing here follow alphabetically. Null means that all
   * groups are sorted alphabetically. In the list of all distributions, null can also mean that the list leaves out the value: if the
   * values of many distributions are very long, the list has only those of the newest ones.
   */
  groupOrder: z.nullable(z.array(z.string())),
  /** The UTC time when ordering opens. Null means that customers can order as soon as the distribution is published. */
  opensAt: z.nullable(z.string()),
  /** The UTC time when ordering closes. Null means that only the distributor closes ordering. */
  closesAt: z.nullable(z.string()),
  /** How many hours before `closesAt` Feastday reminds customers who have no order. Null means that it sends no reminder. */
  remindHours: z.nullable(z.int()),
  /** The organization's time zone, in which the screens show these times. */
  timeZone: z.nullable(z.string()),
  /** Whether the distribution has pick-up times. If so, a customer's order must have one. */
  hasSlots: z.boolean(),
  /**
   * Whether the distribution is a rehearsal: a copy with invented families, with which staff practice. Customers never see it, and no mail
   * is sent.
   */
  rehearsal: z.boolean(),
});
export type Distribution = z.infer<typeof Distribution>;

export const NewDistribution = z.object({ name: requiredText(NAME), date: CalendarDate });

const GroupOrder = z.nullable(
  z.array(requiredText(GROUP_NAME)).check(
    z.maxLength(MAX_GROUPS, TOO_MANY_GROUPS),
    z.refine((groups) => new Set(groups).size === groups.length, GROUP_TWICE),
    z.refine((groups) => groups.join('').length <= MAX_GROUP_ORDER, tooLongGroups(MAX_GROUP_ORDER)),
  ),
);

const DistributionChange = z.partial(
  z.extend(NewDistribution, {
    published: z.boolean(),
    acceptActuals: z.boolean(),
    orderingOpen: z.boolean(),
    groupOrder: GroupOrder,
    opensAt: z.nullable(instant('opensAt')),
    closesAt: z.nullable(instant('closesAt')),
    remindHours: z.nullable(z.int(REMIND_HOURS).check(z.gte(1, REMIND_HOURS), z.lte(MAX_REMIND_HOURS, REMIND_HOURS))),
  }),
);
export type DistributionChange = z.infer<typeof DistributionChange>;

export const listDistributions = endpoint({
  method: 'GET',
  path: '/api/distributions',
  summary: 'The distributions that the viewer may see, newest date first',
  roles: ['distributor', 'agent', 'customer'],
  reply: z.array(Distribution),
});

export const readDistribution = endpoint({
  method: 'GET',
  path: '/api/distributions/:id',
  summary: 'One distribution',
  roles: ['distributor', 'agent', 'customer'],
  reply: Distribution,
});

/** The maximum number of distributions of one distributor, so that no account can fill the database (docs/reliability.md). */
export const MAX_DISTRIBUTIONS = 500;

export const createDistribution = endpoint({
  method: 'POST',
  path: '/api/distributions',
  summary: 'Create a distribution',
  refusals: { 409: tooManyDistributions(MAX_DISTRIBUTIONS) },
  roles: ['distributor'],
  body: NewDistribution,
  reply: Distribution,
  idempotent: true,
  status: 201,
});

export const deleteDistribution = endpoint({
  method: 'DELETE',
  path: '/api/distributions/:id',
  summary: 'Delete a draft that nobody ordered from, with its products and fees, or a rehearsal with everything in it',
  refusals: { 409: `${NOT_A_DRAFT} ${HAS_ORDERS}` },
  roles: ['distributor'],
  status: 204,
});

export const changeDistribution = endpoint({
  method: 'PATCH',
  path: '/api/distributions/:id',
  summary: 'Change name and date, a flag, the times of ordering, or the order of the product groups; ordering can only be closed',
  description: `${CLOSING_IS_PAST} ${CLOSING_NOT_AFTER_OPENING}`,
  refusals: { 409: `${CLOSED_FOR_GOOD} ${CLOSING_IS_FINAL} ${REHEARSAL_STAYS} ${outdatedText('Passover')}` },
  roles: ['distributor'],
  body: z
    .extend(DistributionChange, { before: Before })
    .check(
      z.refine(
        (change) => Object.keys(change).some((field) => field !== 'before'),
        'Say what to change: name and date, published, orderingOpen, acceptActuals, groupOrder, opensAt, closesAt or remindHours',
      ),
    ),
  reply: Distribution,
});
