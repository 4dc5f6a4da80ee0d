// The people of a distributor: customers and agents (spec §3 'Customer/agent list item', §7; contract §3).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id, text } from '../../shared/fields.ts';

export const USER_ROLES = ['customer', 'agent'] as const;

export const MOST_USERS = 5000;
export const FOUR_MEGABYTES = 4 * 1_048_576;

export const UserItem = z.object({
  userId: Id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  lockedUntil: z.nullable(z.string()),
  /** Until the first sign-in the e-mail can be mended and the invitation sent again. */
  hasSignedIn: z.boolean(),
  /** false only for somebody who was created with 'later'. */
  isInvited: z.boolean(),
  isDisabled: z.boolean(),
});
export type UserItem = z.infer<typeof UserItem>;

const known = (name: string) => z.optional(z.nullable(text(name)));
/** Each may carry what is known of the contact. */
export const NewUser = z.object({
  email: Email,
  firstName: known('First name'),
  lastName: known('Last name'),
  address: known('Address'),
  city: known('City'),
  state: known('State'),
  zip: known('ZIP code'),
  phone: known('Phone number'),
});
export type NewUser = z.infer<typeof NewUser>;

const anyText = z.optional(z.nullable(z.string()));
/** As sent: what is wrong with the texts of one row is said in its own result, so that the other rows are created. */
const SentUser = z.object({
  email: z.string(),
  firstName: anyText,
  lastName: anyText,
  address: anyText,
  city: anyText,
  state: anyText,
  zip: anyText,
  phone: anyText,
});
export type SentUser = z.infer<typeof SentUser>;

export const CreatedUser = z.extend(SentUser, { success: z.boolean(), userId: z.optional(Id), error: z.optional(z.string()) });
export type CreatedUser = z.infer<typeof CreatedUser>;

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users/:role',
  summary: 'The own customers, or the own agents',
  roles: ['distributor'],
  reply: z.array(UserItem),
});

export const createUsers = endpoint({
  method: 'POST',
  path: '/api/users/:role',
  summary: 'Create customers or agents, each row all or none; the results come in the order sent',
  roles: ['distributor'],
  body: z.object({
    users: z.array(SentUser).check(z.maxLength(MOST_USERS, `At most ${MOST_USERS} users can be created at once`)),
    replyTo: Email,
    /** 'later': no invitation is mailed yet. */
    invite: z._default(z.enum(['now', 'later']), 'now'),
  }),
  reply: z.array(CreatedUser),
  status: 201,
  idempotent: true,
  bodyLimit: FOUR_MEGABYTES,
  isHeavy: true,
});

const onUser = <const Act extends string>(act: Act, summary: string) =>
  endpoint({ method: 'POST', path: `/api/users/:role/:userId/${act}`, summary, roles: ['distributor'], status: 204 });

export const inviteUser = onUser('invite', 'Mail the invitation again');
export const unlockUser = onUser('unlock', 'Clear the failed sign-ins and the lock');
export const disableUser = onUser('disable', 'Shut a user out; their sessions end');
export const signOutUser = onUser('sign-out', 'End every session of a user');
export const enableUser = onUser('enable', 'Let a disabled user in again');

export const changeUserEmail = endpoint({
  method: 'PATCH',
  path: '/api/users/:role/:userId',
  summary: 'Mend the e-mail of a user who never signed in, and invite again',
  roles: ['distributor'],
  body: z.object({ email: Email }),
  reply: UserItem,
});
