// Each person who takes payments in a distribution has a till (contract §15).
import * as z from 'zod/mini';
import { MAX_CENTS, negated } from '../../domain/money.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Amount, amount, Id } from '../../shared/fields.ts';
import { notCents, tooLarge } from '../../shared/texts.ts';
import {
  CLOSED_ALREADY,
  COUNTED,
  FLOAT,
  NEGATIVE_CASH,
  NEGATIVE_FLOAT,
  OPEN_ALREADY,
  tooManyTills,
  tooManyTillsForAgents,
} from './texts.ts';

const Sums = z.object({ cash: Amount, check: Amount, card: Amount, other: Amount });

/** Returns the schema of an amount that is negative if more money was refunded than received. */
const signed = (name: string): typeof Amount =>
  z
    .int(notCents(name))
    .check(z.gte(negated(MAX_CENTS), tooLarge(name)), z.lte(MAX_CENTS, tooLarge(name))) as z.ZodMiniType as typeof Amount;

const Counted = z.object({
  cash: amount(COUNTED.cash, NEGATIVE_CASH),
  check: signed(COUNTED.check),
  card: signed(COUNTED.card),
  other: signed(COUNTED.other),
});

export const Till = z.object({
  id: Id,
  distributionId: Id,
  userId: Id,
  /** The e-mail address of the person to whom the till belongs. */
  by: z.string(),
  float: Amount,
  openedAt: z.string(),
  closedAt: z.nullable(z.string()),
  /** The number of payments in the till, including payments that reverse other payments. */
  payments: z.int(),
  /**
   * The expected sums by payment method. The cash includes the float, and card payments include their fees. A closed till keeps the sums of
   * the time when it was closed.
   */
  expected: Sums,
  /** The counted sums by payment method. Null while the till is open. */
  counted: z.nullable(Sums),
  difference: z.nullable(Sums),
});
export type Till = z.infer<typeof Till>;

/** The maximum number of tills of one person in one distribution, open or closed. */
export const MAX_TILLS = 100;
/** Agents can open tills until the distribution has this many. The distributor can open more, up to its own `MAX_TILLS`. */
export const MAX_TILLS_FOR_AGENTS = 1000;

export const openTill = endpoint({
  method: 'POST',
  path: '/api/tills',
  summary: 'Open the own till in a distribution: the payments that its person records from now on belong to it',
  refusals: { 409: `${OPEN_ALREADY} ${tooManyTills(MAX_TILLS)} ${tooManyTillsForAgents(MAX_TILLS_FOR_AGENTS)}` },
  roles: ['distributor', 'agent'],
  agentPermission: 'mayTakePayments',
  body: z.object({ distributionId: Id, float: amount(FLOAT, NEGATIVE_FLOAT) }),
  reply: Till,
  status: 201,
  idempotent: true,
});

export const closeTill = endpoint({
  method: 'POST',
  path: '/api/tills/:id/close',
  summary: 'Close the own till, for good, with what was counted; the distributor closes every till',
  refusals: { 409: CLOSED_ALREADY },
  roles: ['distributor', 'agent'],
  body: z.object({ counted: Counted }),
  reply: Till,
  idempotent: true,
});

export const Tills = z.object({
  tills: z.array(Till),
  /** The distributor sees the payments without a till and the sum of all payments. For an agent both fields are null. */
  withoutTill: z.nullable(z.object({ payments: z.int(), received: Sums })),
  received: z.nullable(Sums),
});
export type Tills = z.infer<typeof Tills>;

export const listTills = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/tills',
  summary:
    'Every till of a distribution in the order of opening, for an agent the own ones; what tills received and what belongs to none is what was received',
  roles: ['distributor', 'agent'],
  reply: Tills,
});
