// The calls with which an admin lists, creates and manages distributors (spec §2 admin dashboard, §7).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id } from '../../shared/fields.ts';
import { HAS_ACCOUNT } from '../users/texts.ts';

const DISTRIBUTOR_ACTS = ['disable', 'enable', 'sign-out', 'unlock'] as const;
export type DistributorAct = (typeof DISTRIBUTOR_ACTS)[number];
/**
 * The actions that change the second factor of an account. Admins take them on other accounts, and distributors on their own account
 * (contract §19).
 */
const FACTOR_ACTS = ['second-factor-on', 'second-factor-off', 'recovery-code'] as const;
export type FactorAct = (typeof FACTOR_ACTS)[number];

export const Distributor = z.object({ id: Id, email: z.string() });
export type Distributor = z.infer<typeof Distributor>;

export const listDistributors = endpoint({
  method: 'GET',
  path: '/api/distributors',
  summary: 'Every distributor',
  roles: ['admin'],
  reply: z.array(Distributor),
});

export const createDistributor = endpoint({
  method: 'POST',
  path: '/api/distributors',
  summary: 'Create a distributor, who gets an invitation by mail',
  refusals: { 409: HAS_ACCOUNT },
  roles: ['admin'],
  body: z.object({ email: Email }),
  reply: Distributor,
  status: 201,
});

const Volume = z.object({
  /** The number of e-mails, or of people, in the last 24 hours. */
  day: z.int(),
  /** The number of e-mails, or of people, in the last 30 days. */
  month: z.int(),
});

export const DistributorState = z.object({
  id: Id,
  isDisabled: z.boolean(),
  lockedUntil: z.nullable(z.string()),
  hasSignedIn: z.boolean(),
  /** How many e-mails the distributor caused: bulk mail, test mails and invitations. */
  mails: Volume,
  /** How many customers and agents were added, one by one or by import. */
  added: Volume,
  /** Present only when a second factor is set up (contract §19). */
  hasSecondFactor: z.optional(z.literal(true)),
  /** The last action on the account. It was taken by an admin or, if it changed the second factor, possibly by the distributor. */
  lastAct: z.nullable(z.object({ act: z.enum([...DISTRIBUTOR_ACTS, ...FACTOR_ACTS]), at: z.string(), by: z.string() })),
});
export type DistributorState = z.infer<typeof DistributorState>;

export const listDistributorStates = endpoint({
  method: 'GET',
  path: '/api/distributors/states',
  summary: 'The access of every distributor, and how many e-mails and people each caused',
  roles: ['admin'],
  reply: z.array(DistributorState),
});

const onDistributor = <const Act extends DistributorAct>(act: Act, summary: string) =>
  endpoint({ method: 'POST', path: `/api/distributors/:distributorId/${act}`, summary, roles: ['admin'], status: 204, isEmergency: true });

export const disableDistributor = onDistributor(
  'disable',
  'Shut a distributor and its agents out; their sessions end, and what is queued to be mailed for them is not sent',
);
export const enableDistributor = onDistributor('enable', 'Let a disabled distributor and its agents in again');
export const signOutDistributor = onDistributor('sign-out', 'End every session of a distributor');
export const unlockDistributor = onDistributor('unlock', 'Clear the failed sign-ins and the lock of a distributor');
