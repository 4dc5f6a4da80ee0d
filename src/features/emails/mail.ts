// What a distributor writes to many, the test of it, and the page that stops it (contract §8).
import { cleanHtml, hasContent, hasDataImage, textOf } from '../../server/mail-html.ts';
import { footnote, mailPage, note, paragraph, post, signature, written } from '../../shared/mail-page.ts';
import type { Letter, NoLetter, Writing } from '../../server/outbox-worker.ts';
import { findRecipient, findSender, type Recipient } from './queries.ts';
import { DATA_IMAGE, NO_CONTENT, NO_RECIPIENT, UNSUBSCRIBE, UNSUBSCRIBED } from './texts.ts';

/** The HTML to keep, or why it is refused. */
export async function acceptedHtml(html: string): Promise<{ html: string } | { problem: string }> {
  if (await hasDataImage(html)) return { problem: DATA_IMAGE };
  const clean = await cleanHtml(html);
  return hasContent(clean) ? { html: clean } : { problem: NO_CONTENT };
}

async function letter({ db, env, mail }: Writing, recipient: Recipient): Promise<Letter> {
  const sender = await findSender(db, mail.distributorId);
  const address = `${env.publicUrl}/api/unsubscribe/${recipient.unsubscribeToken}`;
  const clean = await cleanHtml(mail.html);
  const footer = [...(sender ? signature(sender) : []), footnote(UNSUBSCRIBE, address)];
  return {
    to: mail.to || recipient.email,
    subject: mail.subject,
    ...mailPage({ heading: mail.subject, blocks: [written(clean, textOf(clean))], footer }),
    // The log keeps what the distributor wrote: at a second attempt it is written around again.
    logged: mail.html,
    headers: { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ...(sender ? { fromName: sender.name } : {}),
  };
}

export async function bulkMail(writing: Writing): Promise<Letter | NoLetter> {
  const recipient = await findRecipient(writing.db, writing.mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  return recipient.bulkMailStoppedAt === null ? await letter(writing, recipient) : { suppressed: UNSUBSCRIBED };
}

/** Goes to the distributor, who cannot unsubscribe from the own test. */
export async function testMail(writing: Writing): Promise<Letter | NoLetter> {
  const recipient = await findRecipient(writing.db, writing.mail.userId);
  return recipient ? await letter(writing, recipient) : { suppressed: NO_RECIPIENT };
}

export const unsubscribePage = (recipient: Recipient, sender: string): string =>
  mailPage({
    heading: 'Stop these e-mails?',
    blocks: [
      paragraph(`Then ${sender} sends no more announcements to ${recipient.email}.`),
      note('Invitations, links to set a password and confirmations of your orders still come.'),
      post('Unsubscribe'),
    ],
    footer: [],
  }).html;

export const unsubscribedPage = (recipient: Recipient, sender: string): string =>
  mailPage({
    heading: 'You are unsubscribed',
    blocks: [paragraph(`${sender} sends no more announcements to ${recipient.email}.`)],
    footer: [],
  }).html;

export const noSuchLinkPage = (): string =>
  mailPage({ heading: 'This link does not work', blocks: [paragraph('Please use the link in the e-mail as it is.')], footer: [] }).html;
