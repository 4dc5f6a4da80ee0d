// Informs a waiting customer which units are held. The worker renders the mail when it sends it, so that the mail shows the current state
// (contract §12).
import { mailboxHeldUntil } from '../../server/mail/mailbox-limit.ts';
import type { Rendering, RenderInput } from '../../server/mail/outbox-worker.ts';
import { lines, link, mailPage, note, paragraph, signature, type Block } from '../../shared/mail/email-page.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { A_DAY, MAX_HOLD_MAILS_PER_MAILBOX } from '../emails/contract.ts';
import { findRecipient, findSender, isMailOfChangeAboveCap } from '../emails/queries.ts';
import { NO_RECIPIENT } from '../emails/texts.ts';
import { listHolds, MAX_LISTED_HOLDS, type Hold } from './queries.ts';
import {
  HOLD_NOTE,
  HOLD_SUBJECT,
  holdHeading,
  MANY_HOLD_MAILS,
  MORE_IS_HELD,
  NOTHING_HELD,
  OPEN_ORDER_PAGE,
  opensText,
  ORDER_NOW,
  unitsText,
  untilText,
} from './texts.ts';

function blocksOf(holds: readonly Hold[], publicUrl: string): Block[] {
  const [first] = holds;
  if (!first) return [];
  const { opensAt, timeZone } = first;
  return [
    paragraph(first.distributionName),
    lines(
      holds.map(({ productName, units, heldUntil }) => ({
        label: productName,
        note: untilText(zonedTime(heldUntil, timeZone)),
        value: unitsText(units),
      })),
    ),
    ...(opensAt === null ? [] : [paragraph(opensText(zonedTime(opensAt, timeZone)))]),
    link(opensAt === null ? ORDER_NOW : OPEN_ORDER_PAGE, `${publicUrl}/customer/order/${first.distributionId}`),
  ];
}

const LIMIT = { kind: 'hold', most: MAX_HOLD_MAILS_PER_MAILBOX } as const;

export async function holdMail({ db, env, mail, now }: RenderInput): Promise<Rendering> {
  const recipient = await findRecipient(db, mail.userId);
  if (!recipient) return { suppressed: NO_RECIPIENT };
  const holds = await listHolds(db, mail.userId);
  if (holds.length === 0) return { suppressed: NOTHING_HELD };
  const heldUntil = await mailboxHeldUntil(db, LIMIT, { ...recipient, now });
  if (heldUntil) return { heldUntil, reason: MANY_HOLD_MAILS };
  // A mail with a replyTo is about a change by staff. A suppressed mail no longer counts toward the limits.
  const distributorId = mail.replyTo === null ? null : mail.distributorId;
  if (distributorId !== null && (await isMailOfChangeAboveCap(db, distributorId, { now, isCounted: true }))) return { suppressed: A_DAY };
  const sender = await findSender(db, recipient.distributorId);
  const byDistribution = [...Map.groupBy(holds.slice(0, MAX_LISTED_HOLDS), (hold) => hold.distributionId).values()];
  return {
    to: recipient.email,
    subject: HOLD_SUBJECT,
    ...mailPage({
      heading: holdHeading(recipient.firstName),
      blocks: [
        ...byDistribution.flatMap((ofOne) => blocksOf(ofOne, env.publicUrl)),
        ...(holds.length > MAX_LISTED_HOLDS ? [note(MORE_IS_HELD)] : []),
        note(HOLD_NOTE),
      ],
      footer: sender ? signature(sender) : [],
    }),
    ...(sender ? { fromName: sender.name, replyTo: sender.email } : {}),
  };
}
