// Signing in and out, and who is signed in (spec §7, contract §3).
import * as z from 'zod/mini';
import { ROLES } from '../../domain/roles.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id, Password, text } from '../../shared/fields.ts';

export const CurrentUser = z.object({ id: Id, email: z.string(), role: z.enum(ROLES), distributorId: z.nullable(Id) });
export type CurrentUser = z.infer<typeof CurrentUser>;

export const Credentials = z.object({ email: text('Email', 1000), password: text('Password', 1000) });

export const readUser = endpoint({
  method: 'GET',
  path: '/api/user',
  summary: 'Who is signed in',
  roles: ROLES,
  reply: CurrentUser,
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in',
  roles: ['public'],
  body: Credentials,
  reply: CurrentUser,
});

export const signOut = endpoint({ method: 'POST', path: '/api/logout', summary: 'Sign out', roles: ['public'], status: 204 });

export const Message = z.object({ message: z.string() });

export const requestReset = endpoint({
  method: 'POST',
  path: '/api/reset-password/request',
  summary: 'Ask for a link to set a new password; the answer never tells who has an account',
  roles: ['public'],
  /** `invitation`: the token of an expired one, to be mailed a new invitation instead of a reset link. */
  body: z.object({ email: Email, invitation: z.optional(text('Token', 200)) }),
  reply: Message,
});

/** The refusal of a link, by which the page knows it in every language. */
export const LINK_REFUSED = 'This link is invalid or has expired.';

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/reset-password/reset',
  summary: 'Set a password with a mailed link; ends every session of that user; an invitation signs in',
  roles: ['public'],
  body: z.object({ token: text('Token', 200), password: Password }),
  /** `user`: who is signed in now, after an invitation. */
  reply: z.extend(Message, { user: z.optional(CurrentUser) }),
});

export const register = endpoint({
  method: 'POST',
  path: '/api/register',
  summary: 'Join a distributor through its join link; the mailed link sets the password',
  roles: ['public'],
  body: z.object({ email: Email, code: text('Code', 200) }),
  reply: Message,
  status: 202,
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/password',
  summary: 'Change the own password; ends every other session',
  roles: ROLES,
  body: z.object({ currentPassword: text('Current password', 1000), password: Password }),
  status: 204,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/user/sign-out-everywhere',
  summary: 'End every session of the signed-in user',
  roles: ROLES,
  status: 204,
});
