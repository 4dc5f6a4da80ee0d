// Renders the mails about accounts: invitation, join link, password reset, and the notice that an e-mail address already has an account
// (contract §3).
import { JOIN_LINK_DAYS, linkExpiry, type LinkKind } from '../../domain/accounts/account.ts';
import { keepToken } from '../../server/auth/kept-token.ts';
import { newJoinToken, newLinkToken } from '../../server/auth/token.ts';
import { counted } from '../../shared/counted.ts';
import { longDate } from '../../shared/dates.ts';
import { link, mailPage, note, paragraph, signature, type Block } from '../../shared/mail/email-page.ts';
import type { RenderedEmail, SuppressedEmail, RenderInput } from '../../server/mail/outbox-worker.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { listOpenDistributions, MAX_LISTED_DISTRIBUTIONS } from '../distributions/queries.ts';
import { orderUntilText } from '../distributions/texts.ts';
import { DISABLED_BEFORE_SENT } from '../distributors/texts.ts';
import { findRecipient, findSender, type Recipient } from '../emails/queries.ts';
import { NO_RECIPIENT } from '../emails/texts.ts';
import { isJoinRequested, keepJoinToken } from '../join-requests/queries.ts';
import { REQUEST_REMOVED } from '../join-requests/texts.ts';
import { HAS_SIGNED_IN } from '../users/texts.ts';

interface LinkTexts {
  readonly subject: string;
  readonly heading: string;
  readonly words: readonly string[];
  readonly button: string;
  readonly afterwards: string;
}

const RESET: LinkTexts = {
  subject: 'Set a new password',
  heading: 'Set a new password',
  words: ['Somebody, most likely you, asked to set a new password for your Feastday account.'],
  button: 'Set a new password',
  afterwards: 'The link works once, within one hour. If you did not ask for it, do nothing: your password stays as it is.',
};

const INVITED = {
  distributor: () => ({
    subject: 'Set your password for Feastday',
    heading: 'Welcome to Feastday',
    words: ['An account was made for you, to publish your distributions and take the orders.'],
  }),
  agent: (sender: string) => ({
    subject: `Set your password to help ${sender}`,
    heading: `${sender} asks for your help`,
    words: [`${sender} made an account for you on Feastday, to see the orders and enter what was weighed.`],
  }),
  customer: (sender: string) => ({
    subject: `Set your password to order with ${sender}`,
    heading: `Order with ${sender}`,
    words: [`${sender} takes its holiday orders on Feastday, where you can place your order and change it.`],
  }),
};

type OpenDistribution = Awaited<ReturnType<typeof listOpenDistributions>>[number];

const openText = ({ name, date, closesAt, timeZone }: OpenDistribution): string =>
  [`Open for orders now: ${name}, ${longDate(date)}.`, closesAt !== null && `${orderUntilText(zonedTime(closesAt, timeZone))}.`]
    .filter(Boolean)
    .join(' ');

/**
 * The maximum number of open distributions in the copy of a mail that the log of mails stores. Without this limit, long names of
 * distributions in thousands of invitations could fill the disk.
 */
const MAX_LOGGED = 2;

/** Returns the sentences about the open distributions. If there are more than `most`, the last sentence states how many are not listed. */
function openTexts(open: readonly OpenDistribution[], most: number): string[] {
  const listed = open.slice(0, most);
  const more = (open[0]?.total ?? 0) - listed.length;
  return [...listed.map(openText), ...(more > 0 ? [`And ${counted(more, 'more distribution')}.`] : [])];
}

interface Invitation {
  readonly sender: string;
  readonly role: Recipient['role'];
  readonly open: readonly OpenDistribution[];
}

function invitationTexts({ sender, role, open }: Invitation, most = MAX_LISTED_DISTRIBUTIONS): LinkTexts {
  const { words, ...texts } = INVITED[role === 'agent' || role === 'customer' ? role : 'distributor'](sender);
  return {
    ...texts,
    words: [...words, ...openTexts(open, most)],
    button: 'Set your password',
    afterwards: 'The link works once, within 30 days. If you did not expect this, do nothing: without a password nobody can sign in.',
  };
}

function pageOf(texts: LinkTexts, url: string, footer: readonly Block[]): Block {
  const blocks = [...texts.words.map(paragraph), link(texts.button, url), note(texts.afterwards)];
  return mailPage({ heading: texts.heading, blocks, footer });
}

/** Renders a mail with a link that sets a password. The token is created when the mail is sent, and only its hash is stored. */
async function linkLetter({ db, mail, env, now }: RenderInput, kind: LinkKind): Promise<RenderedEmail | SuppressedEmail> {
  const recipient = await findRecipient(db, mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  const sender = await findSender(db, mail.distributorId ?? recipient.distributorId);
  // Invitations with `replyTo` were caused by staff. They are not sent if the distributor is disabled. Links that the recipient requested
  // are still sent.
  if (kind === 'invitation' && mail.replyTo !== null && sender?.isDisabled) return { suppressed: DISABLED_BEFORE_SENT };
  if (kind === 'invitation' && recipient.lastLoginAt !== null) return { suppressed: HAS_SIGNED_IN };
  const token = newLinkToken(kind);
  const open = kind === 'reset' ? [] : await listOpenDistributions(db, recipient.distributorId);
  const invitation = { sender: sender?.name ?? 'Your distributor', role: recipient.role, open };
  const texts = (most?: number) => (kind === 'reset' ? RESET : invitationTexts(invitation, most));
  const url = `${env.publicUrl}/auth?token=${token}`;
  const footer = kind === 'invitation' && sender && sender.email !== recipient.email ? signature(sender) : [];
  return {
    to: recipient.email,
    subject: texts().subject,
    ...pageOf(texts(), url, footer),
    logged: pageOf(texts(MAX_LOGGED), url, footer).html,
    ...(kind === 'invitation' && sender ? { fromName: sender.name } : {}),
    secret: token,
    onHandOver: (db) => keepToken(db, recipient, { token, expires: linkExpiry(kind, now) }),
  };
}

export const invitationMail = (writing: RenderInput): Promise<RenderedEmail | SuppressedEmail> => linkLetter(writing, 'invitation');
export const resetMail = (writing: RenderInput): Promise<RenderedEmail | SuppressedEmail> => linkLetter(writing, 'reset');

export async function joinMail({ db, env, mail, now }: RenderInput): Promise<RenderedEmail | SuppressedEmail> {
  const { to: email, joinDistributorId: distributorId } = mail;
  const sender = await findSender(db, distributorId);
  if (distributorId === null || sender === null || !(await isJoinRequested(db, { distributorId, email, now })))
    return { suppressed: REQUEST_REMOVED };
  if (sender.isDisabled) return { suppressed: DISABLED_BEFORE_SENT };
  const token = newJoinToken();
  const invitation = { sender: sender.name, role: 'customer' as const, open: await listOpenDistributions(db, distributorId) };
  const afterwards = `The link works once, within ${JOIN_LINK_DAYS} days. If you did not ask for it, do nothing: without it there is no account.`;
  const texts = (most?: number) => ({ ...invitationTexts(invitation, most), afterwards });
  const url = `${env.publicUrl}/auth?token=${token}`;
  return {
    to: email,
    subject: texts().subject,
    ...pageOf(texts(), url, signature(sender)),
    logged: pageOf(texts(MAX_LOGGED), url, signature(sender)).html,
    fromName: sender.name,
    replyTo: sender.email,
    secret: token,
    onHandOver: (db) => keepJoinToken(db, token, { distributorId, email, now }),
  };
}

/**
 * Renders the notice to the owner of an e-mail address that the address already has an account. Only this mail says so. The response to the
 * person who tried to join does not, because that person may not be the owner of the address.
 */
export async function existsMail(writing: RenderInput): Promise<RenderedEmail | SuppressedEmail> {
  const recipient = await findRecipient(writing.db, writing.mail.userId);
  const to = writing.mail.to || recipient?.email;
  if (!to) return { suppressed: NO_RECIPIENT };
  const texts = {
    subject: 'You already have an account',
    heading: 'You already have an account',
    words: ['Somebody, most likely you, asked to join a distributor on Feastday with this e-mail address. It already has an account.'],
    button: 'Sign in',
    afterwards: 'If you do not know your password any more, the sign-in page mails you a link to set a new one.',
  };
  return { to, subject: texts.subject, ...pageOf(texts, `${writing.env.publicUrl}/auth`, []) };
}
