import { setLockTimeout, type Db } from '../../server/database/db.ts';
import { HOUR } from '../../domain/durations.ts';
import { conflict, invalid, notFound, tooMany } from '../../server/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import type { MailLink } from '../../server/mail/mail-link.ts';
import { enqueue, enqueueAll } from '../../server/mail/outbox.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { refuseManyAgain, refuseManyToOne } from '../mailbox-limits/queries.ts';
import { findInvitedOften } from '../mailed-links/queries.ts';
import { lockEnabledDistributor } from '../distributors/queries.ts';
import { distributionFor } from '../distributions/queries.ts';
import { askToUnsubscribe, listContactsWithHasOrder, listEmails, resendEmail, sendEmails, sendTestEmail, unsubscribe } from './contract.ts';
import { acceptedHtml, noSuchLinkPage, unsubscribedPage, unsubscribePage } from './mail.ts';
import {
  findInvitedEmail,
  findSender,
  contactsOf,
  listMailsOf,
  listOwnRecipients,
  refuseAboveCap,
  refuseLongMails,
  sendAgain,
} from './queries.ts';
import { findUnsubscriber, stopBulkMail, type Unsubscriber } from '../unsubscribe/queries.ts';
import { INVITED_OFTEN } from '../users/texts.ts';
import {
  CORRECTED,
  FOREIGN_RECIPIENT,
  FOREIGN_REPLY_TO,
  LINK_SENT_AGAIN,
  NO_LONGER_KEPT,
  NOT_AGAIN,
  queuedText,
  testText,
} from './texts.ts';

/** Sanitizes the HTML of the mails. Most mails of one call have the same HTML, so each distinct HTML is sanitized only once. */
async function sanitized<Mail extends { html: string }>(
  mails: readonly Mail[],
  { viewer, signal }: { viewer: Viewer; signal: AbortSignal },
): Promise<Mail[]> {
  const clean = new Map<string, string>();
  for (const html of new Set(mails.map((mail) => mail.html))) {
    const accepted = await acceptedHtml(html, { key: String(viewer.tenantId), signal });
    if ('problem' in accepted) throw invalid(accepted.problem);
    clean.set(html, accepted.html);
  }
  return mails.map((mail) => ({ ...mail, html: clean.get(mail.html) ?? '' }));
}

export const emailsRoutes: Route[] = [
  onTransaction(
    sendEmails,
    async ({ db, viewer, body, now }) => {
      await setLockTimeout(db);
      const addresses = body.map((mail) => mail.to);
      const own = new Map((await listOwnRecipients(db, viewer.tenantId, addresses)).map((recipient) => [recipient.email, recipient]));
      const mails = body.map(({ to, replyTo, subject, html }) => {
        const recipient = own.get(to);
        if (!recipient) throw invalid(FOREIGN_RECIPIENT);
        const { id: userId, bulkMailStoppedAt } = recipient;
        const suppressed = bulkMailStoppedAt !== null;
        // A suppressed mail is never sent, so its HTML is not stored.
        const content = { subject, html: suppressed ? '' : html };
        return { kind: 'bulk' as const, to, userId, distributorId: viewer.tenantId, replyTo, ...content, suppressed, at: now };
      });
      const suppressed = mails.filter((mail) => mail.suppressed).length;
      await refuseAboveCap(db, viewer.tenantId, { now, more: mails.length });
      await refuseManyToOne(db, viewer.tenantId, { now, mails: mails.filter((mail) => !mail.suppressed) });
      await refuseLongMails(db, viewer.tenantId, { now, mails });
      await enqueueAll(db, mails);
      return { message: queuedText(mails.length - suppressed, suppressed) };
    },
    {
      prepareBody: async ({ viewer, body, signal }) => {
        if (body.some((mail) => mail.replyTo !== viewer.email)) throw invalid(FOREIGN_REPLY_TO);
        return await sanitized(body, { viewer, signal });
      },
    },
  ),

  onTransaction(
    sendTestEmail,
    async ({ db, viewer, body: { subject, html }, now }) => {
      const { email, userId, tenantId: distributorId } = viewer;
      await refuseAboveCap(db, distributorId, { now, more: 1 });
      await refuseLongMails(db, distributorId, { now, mails: [{ html }] });
      await enqueue(db, { kind: 'test', to: email, userId, distributorId, replyTo: email, subject, html, at: now });
      return { message: testText(email) };
    },
    {
      prepareBody: async ({ viewer, body, signal }) => {
        const [prepared] = await sanitized([body], { viewer, signal });
        return prepared ?? body;
      },
    },
  ),

  on(listEmails, ({ db, viewer, signal }) => listMailsOf(db, { distributorId: viewer.tenantId, signal })),

  onTransaction(resendEmail, async ({ db, viewer, params, now }) => {
    await lockEnabledDistributor(db, viewer.tenantId);
    const invited = await findInvitedEmail(db, viewer.tenantId, params.id);
    const often =
      invited === null ? null : (await findInvitedOften(db, { distributorId: viewer.tenantId, emails: [invited], now })).get(invited);
    const becomes = await sendAgain(db, viewer.tenantId, { id: params.id, now });
    if (becomes === null) throw notFound('E-mail');
    if (becomes === 'sent again today') throw tooMany(LINK_SENT_AGAIN, HOUR / 1000);
    if (often) throw tooMany(INVITED_OFTEN[often.per], often.retryAfter);
    if (becomes === 'other address') throw conflict(CORRECTED);
    if (becomes !== 'queued') throw conflict(becomes === 'emptied' ? NO_LONGER_KEPT : NOT_AGAIN);
    await refuseAboveCap(db, viewer.tenantId, { now, more: 0 });
    await refuseManyAgain(db, viewer.tenantId, { id: params.id, now });
  }),

  on(listContactsWithHasOrder, async ({ db, viewer, params, signal }) =>
    contactsOf(db, { ...(await distributionFor(db, viewer, params.id)), signal }),
  ),
];

const senderOf = async (db: Db, { senderId }: Unsubscriber): Promise<string> =>
  (await findSender(db, senderId))?.name ?? 'Your distributor';

export const unsubscribeLink: MailLink = {
  path: unsubscribe.path,
  endpoints: [askToUnsubscribe, unsubscribe],
  noSuchLink: noSuchLinkPage,
  async ask({ db }, token) {
    const unsubscriber = await findUnsubscriber(db, token);
    return unsubscriber && unsubscribePage(unsubscriber, await senderOf(db, unsubscriber));
  },
  async act({ db, now }, token) {
    const unsubscriber = await findUnsubscriber(db, token);
    if (unsubscriber) await stopBulkMail(db, unsubscriber, now());
    return unsubscriber && unsubscribedPage(unsubscriber, await senderOf(db, unsubscriber));
  },
};
