// The calls for signing in and out, and for the current user (spec §7, contract §3).
import * as z from 'zod/mini';
import {
  LOCK_MINUTES,
  MAX_FAILURES,
  MAX_LOCKS,
  MAX_NETWORK_FAILURES,
  MAX_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_NETWORK,
  MAX_RESETS_PER_SITE,
  MAX_SITE_FAILURES,
} from '../../domain/accounts/account.ts';
import { ROLES } from '../../domain/accounts/roles.ts';
import { FACTORS } from '../../domain/accounts/second-factor.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id, Password, text } from '../../shared/fields.ts';
import { JOINED_IN_ALL, JOINED_OFTEN, JOINED_TODAY } from '../join-requests/texts.ts';
import { LOCKED, NO_MATCH } from './texts.ts';

/** The maximum number of mails with a link to one account per hour, for each kind of mail. */
export const MAX_LINKS_PER_HOUR = 3;
/**
 * The maximum number of links per day to one recipient. Staff's invitations are counted by distributor and e-mail address, and links that
 * strangers request by mailbox.
 */
export const MAX_INVITATIONS_PER_DAY = 5;
/**
 * The maximum number of invitations by the staff of one distributor, per day to one mailbox. A family or a company may have several addresses
 * of one mailbox.
 */
export const MAX_INVITATIONS_PER_MAILBOX = 20;
/**
 * The maximum number of invitations by the staff of all distributors together, per day to one e-mail address. Also the maximum number of
 * links that all join links together cause, per day to one mailbox.
 */
export const MAX_INVITATIONS_OF_ALL_PER_DAY = 10;
/**
 * The maximum number of links that all join links together cause, per day to all addresses that differ only in a "+suffix", or in ".", "-" or
 * "_". It does not apply to large providers.
 */
export const MAX_LINKS_OF_SIMILAR_PER_DAY = 20;

const LOCKS = `${MAX_FAILURES} failures in a row lock the account for ${LOCK_MINUTES} minutes, also for the right password.`;
const LINKS = [
  `At most ${MAX_LINKS_PER_HOUR} links an hour are mailed to one account, and ${MAX_INVITATIONS_PER_DAY} a day if nobody has confirmed the account.`,
  `At most ${MAX_RESETS_PER_NETWORK} links in 15 minutes are mailed for one network (IPv6: /64), ${MAX_RESETS_PER_SITE} for one IPv6 /56,`,
  `and ${MAX_RESETS_PER_DISTRIBUTOR} an hour to the people of one distributor. The answer stays the same.`,
].join(' ');

export const CurrentUser = z.object({
  id: Id,
  email: z.string(),
  role: z.enum(ROLES),
  distributorId: z.nullable(Id),
  /** Present only for an agent to whom the distributor gave the right to take payments (contract §14). */
  mayTakePayments: z.optional(z.literal(true)),
  /** Present only for an agent who must add a second factor before doing anything else (contract §19). */
  mustAddSecondFactor: z.optional(z.literal(true)),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

/**
 * The response to a correct password when the user has a second factor. The user must then prove one of these factors; a cookie identifies
 * the sign-in (contract §19).
 */
const SecondStep = z.object({ secondFactor: z.array(z.enum(FACTORS)) });

const Credentials = z.object({ email: text('Email', 1000), password: text('Password', 1000) });

export const readUser = endpoint({
  method: 'GET',
  path: '/api/user',
  summary: 'Who is signed in',
  roles: ROLES,
  reply: CurrentUser,
  isOpenBeforeSecondFactor: true,
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in',
  description: `${LOCKS} Above ${MAX_NETWORK_FAILURES} failures in 15 minutes from one IPv4 address or IPv6 /64, and above ${MAX_SITE_FAILURES} from one IPv6 /56, replies to further failures are delayed; the right password of an unlocked account is answered at once. A network that has brought ${MAX_LOCKS} accounts near their locks within 15 minutes locks further ones for itself alone. A user with a second factor gets \`secondFactor\` and no session: POST /api/login/second-factor opens it.`,
  refusals: { 401: NO_MATCH, 429: LOCKED },
  roles: ['public'],
  body: Credentials,
  reply: z.union([CurrentUser, SecondStep]),
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Sign out',
  roles: ['public'],
  isConfirmedByServer: true,
  status: 204,
});

export const Message = z.object({ message: z.string() });

export const requestReset = endpoint({
  method: 'POST',
  path: '/api/reset-password/request',
  summary: 'Ask for a link to set a new password; the answer never tells who has an account',
  description: LINKS,
  roles: ['public'],
  /**
   * `invitation` is the token of an invitation link that no longer works. If this account was invited with that token, the server mails a
   * new invitation instead of a reset link.
   */
  body: z.object({ email: Email, invitation: z.optional(text('Token', 200)) }),
  reply: Message,
});

/** The message for an invalid link. It is the same in every language, because the page compares it with the server's reply. */
export const LINK_REFUSED = 'This link is invalid or has expired.';

export const checkLink = endpoint({
  method: 'POST',
  path: '/api/reset-password/check',
  summary: 'Whether a mailed link still works; the check does not use it up',
  roles: ['public'],
  body: z.object({ token: text('Token', 200) }),
  reply: z.object({ isValid: z.boolean() }),
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/reset-password/reset',
  summary: 'Set a password with a mailed link; ends every other session of that user, and signs in or asks for the second factor',
  refusals: { 409: JOINED_IN_ALL, 429: `${JOINED_OFTEN} ${JOINED_TODAY}` },
  roles: ['public'],
  body: z.object({ token: text('Token', 200), password: Password }),
  /**
   * `user` is present if the link of an invitation or join request has signed the user in. `secondFactor` is present if a second step must
   * follow; it lists the kinds of second factor that the user can use.
   */
  reply: z.extend(Message, { user: z.optional(CurrentUser), secondFactor: z.optional(z.array(z.enum(FACTORS))) }),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/password',
  summary: 'Change the own password; ends every other session',
  description: LOCKS,
  refusals: { 429: LOCKED },
  roles: ROLES,
  body: z.object({ currentPassword: text('Current password', 1000), password: Password }),
  status: 204,
  isExemptFromSaveLimit: true,
  isOpenBeforeSecondFactor: true,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/user/sign-out-everywhere',
  summary: 'End every session of the signed-in user',
  roles: ROLES,
  status: 204,
  isExemptFromSaveLimit: true,
  isOpenBeforeSecondFactor: true,
});
