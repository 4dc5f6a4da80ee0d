// Informs a customer that fewer units of a product were delivered than ordered (contract §16). The mail's row contains the
// content at the time of the change, so that later changes do not alter the mail.
import { isSanitizedHtml, textOf } from '../../server/mail/html.ts';
import type { RenderedEmail, RenderInput, SuppressedEmail } from '../../server/mail/outbox-worker.ts';
import { link, mailPage, renderMarkup, signature } from '../../shared/mail/email-page.ts';
import { findRecipient, findSender } from '../emails/queries.ts';
import { NO_RECIPIENT } from '../emails/texts.ts';
import { OTHER_HTML, SEE_ORDERS } from './texts.ts';

export async function shortDeliveryMail({ db, env, mail }: RenderInput): Promise<RenderedEmail | SuppressedEmail> {
  const recipient = await findRecipient(db, mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  // Somebody may have edited the mail in the file of an imported distributor. Other HTML would take minutes to convert to plain text.
  if (!isSanitizedHtml(mail.html)) return { suppressed: OTHER_HTML };
  const sender = await findSender(db, mail.distributorId);
  const blocks = [renderMarkup(mail.html, textOf(mail.html)), link(SEE_ORDERS, `${env.publicUrl}/customer`)];
  return {
    to: recipient.email,
    subject: mail.subject,
    ...mailPage({ heading: mail.subject, blocks, footer: sender ? signature(sender) : [] }),
    // The log of e-mails stores only this part of the mail. Each new attempt to send the mail renders the rest again.
    logged: mail.html,
    ...(sender ? { fromName: sender.name, replyTo: sender.email } : {}),
  };
}
