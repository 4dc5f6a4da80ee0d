// Informs a waiting customer which units are held. The worker renders the mail when it sends it, so that the mail shows the current state
// (contract §12).
import { mailboxHeldUntil } from '../../server/mail/mailbox-limit.ts';
import type { Rendering, RenderInput } from '../../server/mail/outbox-worker.ts';
import { withDetail } from '../../domain/product-names.ts';
import { lines, link, mailPage, note, paragraph, signature, type Block } from '../../shared/mail/email-page.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { A_DAY, MAX_HOLD_MAILS_PER_MAILBOX } from '../emails/contract.ts';
import { findRecipient, findSender, isMailOfChangeAboveCap } from '../emails/queries.ts';
import { NO_RECIPIENT } from '../emails/texts.ts';
import { readNameDetails } from '../product-names/queries.ts';
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

async function blocksOf({ db, env }: RenderInput, holds: readonly Hold[]): Promise<Block[]> {
  const [first] = holds;
  if (!first) return [];
  const { distributorId, distributionId, opensAt, timeZone } = first;
  const details = await readNameDetails(db, { distributorId, id: distributionId });
  return [
    paragraph(first.distributionName),
    lines(
      holds.map(({ productId, productName, units, heldUntil }) => ({
        label: withDetail(productName, details.get(productId)),
        note: untilText(zonedTime(heldUntil, timeZone)),
        value: unitsText(units),
      })),
    ),
    ...(opensAt === null ? [] : [paragraph(opensText(zonedTime(opensAt, timeZone)))]),
    link(opensAt === null ? ORDER_NOW : OPEN_ORDER_PAGE, `${env.publicUrl}/customer/order/${distributionId}`),
  ];
}

const LIMIT = { kind: 'hold', most: MAX_HOLD_MAILS_PER_MAILBOX } as const;

export async function holdMail(input: RenderInput): Promise<Rendering> {
  const { db, mail, now } = input;
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
  const blocks: Block[] = [];
  for (const ofOne of byDistribution) blocks.push(...(await blocksOf(input, ofOne)));
  return {
    to: recipient.email,
    subject: HOLD_SUBJECT,
    ...mailPage({
      heading: holdHeading(recipient.firstName),
      blocks: [...blocks, ...(holds.length > MAX_LISTED_HOLDS ? [note(MORE_IS_HELD)] : []), note(HOLD_NOTE)],
      footer: sender ? signature(sender) : [],
    }),
    ...(sender ? { fromName: sender.name, replyTo: sender.email } : {}),
  };
}
