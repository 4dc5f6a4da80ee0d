// Renders bulk mail and its test mail, and the unsubscribe page (contract §8).
import { isSanitizedHtml, textOf, type HtmlProblem } from '../../server/mail/html.ts';
import { checkMailHtmlOnThread } from '../../server/mail/html-thread-pool.ts';
import type { JobOptions } from '../../server/queues/limiter.ts';
import { footnote, mailPage, note, paragraph, post, signature, renderMarkup } from '../../shared/mail/email-page.ts';
import type { RenderedEmail, SuppressedEmail, RenderInput } from '../../server/mail/outbox-worker.ts';
import { DISABLED_BEFORE_SENT } from '../distributors/texts.ts';
import { findRecipient, findSender, isFormerEmail, type Recipient } from './queries.ts';
import type { Unsubscriber } from '../unsubscribe/queries.ts';
import { CORRECTED, DATA_IMAGE, LONG_ATTRIBUTE, NO_CONTENT, NO_RECIPIENT, TOO_COMPLEX, UNSUBSCRIBE, UNSUBSCRIBED } from './texts.ts';

const SENTENCES: Readonly<Record<HtmlProblem, string>> = {
  'data image': DATA_IMAGE,
  'long attribute': LONG_ATTRIBUTE,
  'no content': NO_CONTENT,
  'too complex': TOO_COMPLEX,
};

/**
 * Returns the sanitized HTML and its plain text, or the reason why the HTML is refused. A worker thread sanitizes the HTML. The jobs of
 * each distributor form their own queue, and `job.key` names the distributor.
 */
export async function acceptedHtml(html: string, job: JobOptions): Promise<{ html: string; text: string } | { problem: string }> {
  const checked = await checkMailHtmlOnThread(html, job);
  return 'problem' in checked ? { problem: SENTENCES[checked.problem] } : checked;
}

async function renderBulkMail({ db, env, mail }: RenderInput, recipient: Recipient): Promise<RenderedEmail | SuppressedEmail> {
  const sender = await findSender(db, mail.distributorId);
  if (sender?.isDisabled) return { suppressed: DISABLED_BEFORE_SENT };
  // The API sanitized the HTML before it queued the mail. Sanitizing it again for each recipient would delay the mails of all distributors.
  const accepted = isSanitizedHtml(mail.html)
    ? { html: mail.html, text: textOf(mail.html) }
    : await acceptedHtml(mail.html, { key: String(mail.distributorId) });
  if ('problem' in accepted) return { suppressed: accepted.problem };
  const address = `${env.publicUrl}/api/unsubscribe/${recipient.unsubscribeToken}`;
  const footer = [...(sender ? signature(sender) : []), footnote(UNSUBSCRIBE, address)];
  return {
    to: mail.to || recipient.email,
    subject: mail.subject,
    ...mailPage({ heading: mail.subject, blocks: [renderMarkup(accepted.html, accepted.text)], footer }),
    // The log stores only the HTML that the distributor wrote. If the mail is sent again, its heading and footer are rendered again.
    logged: mail.html,
    headers: { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ...(sender ? { fromName: sender.name } : {}),
  };
}

export async function bulkMail(writing: RenderInput): Promise<RenderedEmail | SuppressedEmail> {
  const recipient = await findRecipient(writing.db, writing.mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  // The address was corrected after the mail was queued. The old address may belong to a stranger, and the mail's link to unsubscribe would
  // be the link of the new address. The log and the limits of mails to one person name the old address, so the mail is not sent to the new
  // one either.
  const { to } = writing.mail;
  if (to !== recipient.email && (await isFormerEmail(writing.db, recipient, to))) return { suppressed: CORRECTED };
  return recipient.bulkMailStoppedAt === null ? await renderBulkMail(writing, recipient) : { suppressed: UNSUBSCRIBED };
}

/** Renders the test mail, which is sent to the distributor without an unsubscribe link. */
export async function testMail(writing: RenderInput): Promise<RenderedEmail | SuppressedEmail> {
  const recipient = await findRecipient(writing.db, writing.mail.userId);
  return recipient ? await renderBulkMail(writing, recipient) : { suppressed: NO_RECIPIENT };
}

type Named = Pick<Unsubscriber, 'email'>;
const nameOf = ({ email }: Named): string => email ?? 'the e-mail address that this link was sent to';

export const unsubscribePage = (recipient: Named, sender: string): string =>
  mailPage({
    heading: 'Stop these e-mails?',
    blocks: [
      paragraph(`Then ${sender} sends no more announcements to ${nameOf(recipient)}.`),
      note('Invitations, links to set a password and confirmations of your orders still come.'),
      post('Unsubscribe'),
    ],
    footer: [],
  }).html;

export const unsubscribedPage = (recipient: Named, sender: string): string =>
  mailPage({
    heading: 'You are unsubscribed',
    blocks: [paragraph(`${sender} sends no more announcements to ${nameOf(recipient)}.`)],
    footer: [],
  }).html;

export const noSuchLinkPage = (): string =>
  mailPage({ heading: 'This link does not work', blocks: [paragraph('Please use the link in the e-mail as it is.')], footer: [] }).html;
