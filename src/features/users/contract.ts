// With these API calls, distributors manage their customers and agents (spec §3 'Customer/agent list item', §7; contract §3).
import * as z from 'zod/mini';
import { endpoint, type Endpoint } from '../../shared/endpoint.ts';
import { isBlankText } from '../../domain/blank.ts';
import { Before, Email, Id, MAX_EMAIL_LENGTH, MAX_TEXT_LENGTH, text } from '../../shared/fields.ts';
import { outdatedText } from '../../shared/texts.ts';
import {
  MAX_INVITATIONS_OF_ALL_PER_DAY,
  MAX_INVITATIONS_PER_DAY,
  MAX_INVITATIONS_PER_MAILBOX,
  MAX_LINKS_PER_HOUR,
} from '../auth/contract.ts';
import { contactOf, StaffContact } from '../contact/contract.ts';
import { CONTACT_NAMES } from '../contact/texts.ts';
import { A_DAY } from '../emails/contract.ts';
import {
  HAS_ACCOUNT,
  HAS_NO_EMAIL,
  HAS_SIGNED_IN,
  INVITED_OFTEN,
  IS_DISABLED,
  NAME_OR_EMAIL_NEEDED,
  NOTHING_TO_CHANGE,
  THE_EMAIL,
  tooManyPeople,
  tooManyPeopleInAll,
} from './texts.ts';

/** States the limits of invitations to one e-mail address and to one mailbox in the API document. */
const INVITATIONS = `At most ${MAX_LINKS_PER_HOUR} invitations an hour and ${MAX_INVITATIONS_PER_DAY} a day of one distributor go to one e-mail address, and ${MAX_INVITATIONS_OF_ALL_PER_DAY} a day of all distributors. ${MAX_INVITATIONS_PER_MAILBOX} a day of one distributor go to one mailbox (addresses that differ only in a +suffix, or in ".", "-" or "_", share one).`;

export const USER_ROLES = ['customer', 'agent'] as const;

export const MAX_USERS = 5000;
/**
 * The maximum number of people that one distributor can add in a day, so that no account can fill the database (docs/reliability.md,
 * "growth").
 */
export const MAX_PEOPLE_PER_DAY = 20_000;
/** The maximum number of customers and agents of one distributor. Removed ones and those who joined through its join link do not count. */
export const MAX_PEOPLE = 100_000;
export const FOUR_MEGABYTES = 4 * 1_048_576;

export const UserItem = z.object({
  userId: Id,
  /** The e-mail address. It is null for a customer without an e-mail address, who cannot sign in and gets no mail. */
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  lockedUntil: z.nullable(z.string()),
  /** Whether the person has ever signed in. Until then, staff can correct the e-mail address and send the invitation again. */
  hasSignedIn: z.boolean(),
  /**
   * Whether an invitation for this person has been queued. For a person whom staff created with `invite: 'later'`, this is false until
   * staff send an invitation.
   */
  isInvited: z.boolean(),
  isDisabled: z.boolean(),
  /** This field is present only for an agent whom the distributor allows to take payments (contract §14). */
  mayTakePayments: z.optional(z.literal(true)),
  /**
   * Both fields are present only for an agent. `requireSecondFactor` says that the agent must have a second factor, `hasSecondFactor` that
   * the agent has one (contract §19).
   */
  requireSecondFactor: z.optional(z.literal(true)),
  hasSecondFactor: z.optional(z.literal(true)),
});
export type UserItem = z.infer<typeof UserItem>;

/** The fields of a contact. All of them are optional, because staff may know only some of them. */
const KnownContact = contactOf((field) => z.optional(z.nullable(text(CONTACT_NAMES[field]))));
export const NewUser = z.object({ email: Email, ...KnownContact });
export type NewUser = z.infer<typeof NewUser>;

/** The data of a new customer without an e-mail address. Such a customer must have a name. */
export const NewUserWithoutEmail = z
  .object({
    email: z.pipe(
      z.optional(z.nullable(z.literal(''))),
      z.transform(() => null),
    ),
    ...KnownContact,
  })
  .check(z.refine(({ firstName, lastName }) => !isBlankText(`${firstName ?? ''}${lastName ?? ''}`), NAME_OR_EMAIL_NEEDED));
export type NewUserWithoutEmail = z.infer<typeof NewUserWithoutEmail>;

const anyText = z.optional(z.nullable(z.string()));
/**
 * A row of the request. The fields may contain any text. An invalid text is reported in the result of its row, so that the other rows are
 * still created.
 */
const SentUser = z.object({ email: anyText, ...contactOf(() => anyText) });
export type SentUser = z.infer<typeof SentUser>;

/** A result contains at most this many characters of each text of its row. Every valid text is shorter. */
export const MAX_ECHO_LENGTH = 300;

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
  description: `${tooManyPeople(MAX_PEOPLE_PER_DAY)} An e-mail address has at most ${MAX_EMAIL_LENGTH} characters, every other text at most ${MAX_TEXT_LENGTH}; what is wrong with one row is said in its result, which contains at most ${MAX_ECHO_LENGTH} characters of each text. ${A_DAY} Above it nobody is created, unless \`invite\` is \`later\`. ${INVITATIONS} Above it the user is created without an invitation, and \`error\` says so.`,
  refusals: { 409: tooManyPeopleInAll(MAX_PEOPLE), 429: `${A_DAY} ${tooManyPeople(MAX_PEOPLE_PER_DAY)}` },
  roles: ['distributor'],
  body: z.object({
    users: z.array(SentUser).check(z.maxLength(MAX_USERS, `At most ${MAX_USERS} users can be created at once`)),
    replyTo: Email,
    /** With 'later', the server mails no invitation yet. */
    invite: z._default(z.enum(['now', 'later']), 'now'),
    /** The upload of customers to which this call belongs, so that undoing the upload removes the customers. */
    uploadId: z.optional(Id),
  }),
  reply: z.array(CreatedUser),
  status: 201,
  idempotent: true,
  bodyLimit: FOUR_MEGABYTES,
  // Each user may have twice as many fields as the schema names, because unknown fields are dropped.
  maxValues: 16 * MAX_USERS + 100,
  isExpensive: true,
});

type Options = Pick<Endpoint, 'description' | 'refusals' | 'isEmergency'>;
const onUser = <const Act extends string>(act: Act, summary: string, options: Options) =>
  endpoint({ method: 'POST', path: `/api/users/:role/:userId/${act}`, summary, ...options, roles: ['distributor'], status: 204 });

export const inviteUser = onUser('invite', 'Mail the invitation again', {
  description: INVITATIONS,
  refusals: { 409: `${HAS_SIGNED_IN} ${IS_DISABLED} ${HAS_NO_EMAIL}`, 429: `${Object.values(INVITED_OFTEN).join(' ')} ${A_DAY}` },
});
export const unlockUser = onUser('unlock', 'Clear the failed sign-ins and the lock', { isEmergency: true });
export const disableUser = onUser('disable', 'Shut a user out; their sessions end', { isEmergency: true });
export const signOutUser = onUser('sign-out', 'End every session of a user', { isEmergency: true });
export const enableUser = onUser('enable', 'Let a disabled user in again', { isEmergency: true });

export const readUserContact = endpoint({
  method: 'GET',
  path: '/api/users/:role/:userId',
  summary: 'The contact of an own customer or agent; what is not known is null',
  roles: ['distributor'],
  reply: StaffContact,
});

/** The changes to a user. A field that is omitted keeps its value. */
export const ChangedUser = z
  .object({
    email: z.optional(Email),
    mayTakePayments: z.optional(z.boolean('mayTakePayments must be true or false')),
    requireSecondFactor: z.optional(z.boolean('requireSecondFactor must be true or false')),
    ...KnownContact,
    before: Before,
  })
  .check(z.refine(({ before: _before, ...changes }) => Object.values(changes).some((value) => value !== undefined), NOTHING_TO_CHANGE));
export type ChangedUser = z.infer<typeof ChangedUser>;

export const changeUser = endpoint({
  method: 'PATCH',
  path: '/api/users/:role/:userId',
  summary: 'Correct the contact of a user; also the e-mail of one who never signed in, which invites again; let an agent take payments',
  description: 'The same e-mail as before changes and mails nothing. `mayTakePayments` and `requireSecondFactor` are of agents only.',
  refusals: {
    409: `${HAS_SIGNED_IN} ${IS_DISABLED} ${HAS_ACCOUNT} ${outdatedText(THE_EMAIL)}`,
    429: `${Object.values(INVITED_OFTEN).join(' ')} ${A_DAY}`,
  },
  roles: ['distributor'],
  body: ChangedUser,
  reply: UserItem,
});
