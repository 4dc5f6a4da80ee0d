// The calls that send e-mails to customers and agents, and those that read a distributor's e-mail log (spec §3 emails log, §7; contract
// §8).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { numberText } from '../../shared/counted.ts';
import { Email, Id, requiredText } from '../../shared/fields.ts';
import { TOO_MANY_CHECKS } from '../../shared/texts.ts';
import { INVITED_OFTEN } from '../users/texts.ts';
import { CONTENT, LINK_SENT_AGAIN, NO_LONGER_KEPT, NOT_AGAIN, SUBJECT, TOO_COMPLEX, tooMuchHtml } from './texts.ts';

export const MAX_MAILS = 5000;
/**
 * The maximum number of mails that one distributor can cause in a day. These are bulk mail, test mails, invitations, reminders,
 * confirmations of orders that staff change, and mails about units that are held because of a change by staff. A mail that a person sends
 * again on a later day counts again.
 */
export const MAX_MAILS_PER_DAY = 10_000;
/**
 * The maximum number of confirmations of changes by staff, and of mails about units that are held because of such changes, together in a
 * day, so that an agent who changes orders cannot use up the mails of the distributor.
 */
export const MAX_MAILS_OF_CHANGES_PER_DAY = 8000;
/**
 * The maximum number of confirmations of a customer's own changes within an hour. The confirmations of further changes are sent later. The
 * first confirmation of an order is always sent at once (contract §8).
 */
export const MAX_OWN_CONFIRMATIONS_PER_HOUR = 30;
/**
 * The maximum number of confirmations of changes by staff that one mailbox gets of one distributor within a day, so that a distributor
 * cannot flood a stranger. The confirmations of further changes are sent later.
 */
export const MAX_STAFF_CONFIRMATIONS_PER_MAILBOX = 100;
/**
 * The maximum number of mails about held units that one mailbox gets of one distributor within a day, because a distributor can cause these
 * mails without a pause by moving the opening or the closing time. With the usual pauses of 15 minutes, a customer gets fewer.
 */
export const MAX_HOLD_MAILS_PER_MAILBOX = 100;
/**
 * The maximum number of reminders that one mailbox gets of one distributor within a day, because a distributor can publish and delete any
 * number of distributions that close soon.
 */
export const MAX_REMINDERS_PER_MAILBOX = 10;
/** The maximum number of bulk mails and mails about short deliveries that one distributor can send to one mailbox in a day. */
export const MAX_BULK_PER_MAILBOX = 250;
/** The maximum number of bytes of the HTML of all bulk and test mails of a distributor in a day. */
export const MAX_HTML_PER_DAY = 200_000_000;
export const MAX_HTML_LENGTH = 200_000;
const FOUR_MEGABYTES = 4 * 1_048_576;

export const A_DAY = `At most ${numberText(MAX_MAILS_PER_DAY)} e-mails can be sent in a day, tests and invitations among them.`;

const Content = { subject: requiredText(SUBJECT), html: requiredText(CONTENT, MAX_HTML_LENGTH) };

export const OutgoingMail = z.object({ to: Email, replyTo: Email, ...Content });
export type OutgoingMail = z.infer<typeof OutgoingMail>;

/** A message for the user, which the client shows in a toast. */
const Said = z.object({ message: z.string() });

export const sendEmails = endpoint({
  method: 'POST',
  path: '/api/send-emails',
  summary: 'E-mail own customers and agents, each alone; all are queued or none',
  description: `${A_DAY} Those to people who have unsubscribed are counted too, although they are not sent. A person gets at most ${MAX_BULK_PER_MAILBOX} a day. \`to\` is an own customer or agent, \`replyTo\` the own address; pictures in the HTML itself are refused. ${TOO_COMPLEX}`,
  refusals: {
    429: `${A_DAY} At most ${MAX_BULK_PER_MAILBOX} of them go to one person. ${tooMuchHtml(MAX_HTML_PER_DAY)} ${TOO_MANY_CHECKS}`,
  },
  roles: ['distributor'],
  body: z
    .array(OutgoingMail)
    .check(z.minLength(1, 'Choose at least one recipient'), z.maxLength(MAX_MAILS, `At most ${MAX_MAILS} e-mails a call`)),
  reply: Said,
  idempotent: true,
  bodyLimit: FOUR_MEGABYTES,
  isExpensive: true,
});

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/api/emails/test',
  summary: 'Send an e-mail to oneself first, just as the customers would get it',
  description: `${A_DAY} ${TOO_COMPLEX}`,
  refusals: { 429: `${A_DAY} ${TOO_MANY_CHECKS}` },
  roles: ['distributor'],
  body: z.object(Content),
  reply: Said,
});

export const LoggedMail = z.object({
  id: Id,
  to: z.string(),
  /** The subject; empty until the mail is rendered. The subject of bulk and test mails is never empty, because the distributor wrote it. */
  subject: z.string(),
  kind: z.enum(['invitation', 'reset', 'exists', 'confirmation', 'bulk', 'test', 'reminder', 'short-delivery', 'hold']),
  status: z.enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'suppressed']),
  /** The last response of the mail server, or Feastday's own reason why the mail was not sent. */
  response: z.nullable(z.string()),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  success: z.boolean(),
});
export type LoggedMail = z.infer<typeof LoggedMail>;

export const listEmails = endpoint({
  method: 'GET',
  path: '/api/emails',
  summary: "The newest thousand of the distributor's mails with what became of each",
  roles: ['distributor'],
  reply: z.array(LoggedMail),
});

export const resendEmail = endpoint({
  method: 'POST',
  path: '/api/emails/:id/resend',
  summary: 'Send a mail again that failed, or of which nobody knows whether it arrived',
  description: `E-mails that are sent again count toward the limits of e-mails to one person in a day: ${MAX_BULK_PER_MAILBOX} bulk mails and mails about short deliveries, ${MAX_STAFF_CONFIRMATIONS_PER_MAILBOX} confirmations of changes by staff, ${MAX_HOLD_MAILS_PER_MAILBOX} mails about held units, and ${MAX_REMINDERS_PER_MAILBOX} reminders.`,
  refusals: {
    409: `${NOT_AGAIN} ${NO_LONGER_KEPT}`,
    429: `${A_DAY} The limit of e-mails to one person is reached. ${Object.values(INVITED_OFTEN).join(' ')} ${LINK_SENT_AGAIN}`,
  },
  roles: ['distributor'],
  status: 204,
});

export const ContactWithHasOrder = z.object({
  userId: Id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  hasOrder: z.boolean(),
});
export type ContactWithHasOrder = z.infer<typeof ContactWithHasOrder>;

export const listContactsWithHasOrder = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/contacts-with-has-order',
  summary: 'The customers, and who of them has an order in a distribution',
  roles: ['distributor'],
  reply: z.array(ContactWithHasOrder),
});

/**
 * The two calls with which recipients unsubscribe return HTML pages, because mail programs and signed-out people open the links to these
 * calls.
 */
export const askToUnsubscribe = endpoint({
  method: 'GET',
  path: '/api/unsubscribe/:token',
  summary: 'A page that asks whether to stop bulk mail; changes nothing',
  roles: ['public'],
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/unsubscribe/:token',
  summary: 'Stop bulk mail (RFC 8058); answers a page',
  roles: ['public'],
});
