// Renders the reminder that ordering closes soon. The worker renders it when it sends the mail, so that the mail shows the current state
// (contract §11).
import { orderingBlockedReason } from '../../domain/distribution.ts';
import { mailboxHeldUntil } from '../../server/mail/mailbox-limit.ts';
import type { Rendering, RenderInput } from '../../server/mail/outbox-worker.ts';
import { longDate } from '../../shared/dates.ts';
import { footnote, link, mailPage, note, paragraph, signature } from '../../shared/mail/email-page.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { orderUntilText } from '../distributions/texts.ts';
import { DISABLED_BEFORE_SENT } from '../distributors/texts.ts';
import { MAX_REMINDERS_PER_MAILBOX } from '../emails/contract.ts';
import { findRecipient, findSender } from '../emails/queries.ts';
import { NO_RECIPIENT, UNSUBSCRIBE, UNSUBSCRIBED } from '../emails/texts.ts';
import { findReminderState } from './queries.ts';
import { CANNOT_ORDER, HAS_ORDERED, MANY_REMINDERS } from './texts.ts';

const LIMIT = { kind: 'reminder', most: MAX_REMINDERS_PER_MAILBOX } as const;

export async function reminderMail({ db, env, mail, now }: RenderInput): Promise<Rendering> {
  const recipient = await findRecipient(db, mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  if (recipient.bulkMailStoppedAt !== null) return { suppressed: UNSUBSCRIBED };
  const sender = await findSender(db, mail.distributorId);
  if (sender?.isDisabled) return { suppressed: DISABLED_BEFORE_SENT };
  const state = await findReminderState(db, mail.distributionId, recipient.id);
  if (!state?.closesAt || orderingBlockedReason(state, state.now) !== null) return { suppressed: CANNOT_ORDER };
  if (state.hasOrdered) return { suppressed: HAS_ORDERED };
  if (await mailboxHeldUntil(db, LIMIT, { ...recipient, now })) return { status: 'failed', response: MANY_REMINDERS };
  const until = orderUntilText(zonedTime(state.closesAt, state.timeZone));
  const unsubscribe = `${env.publicUrl}/api/unsubscribe/${recipient.unsubscribeToken}`;
  const blocks = [
    paragraph(`You have not ordered yet: ${state.name}, ${longDate(state.date)}.`),
    link('Place your order', `${env.publicUrl}/customer/order/${state.id}`),
    note('After that time nothing can be ordered any more.'),
  ];
  const footer = [...(sender ? signature(sender) : []), footnote(UNSUBSCRIBE, unsubscribe)];
  return {
    to: recipient.email,
    subject: `${state.name}: ${until}`,
    ...mailPage({ heading: until, blocks, footer }),
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ...(sender ? { fromName: sender.name } : {}),
  };
}
