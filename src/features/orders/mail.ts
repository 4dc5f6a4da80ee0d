// Renders the confirmation of an order. It shows the order as it is when the mail is sent (contract §7, §8).
import { orderingBlockedReason } from '../../domain/distribution.ts';
import { feeLabel } from '../../domain/fees.ts';
import { dollars, sum } from '../../domain/money.ts';
import { lineTotal, orderTotals, quantitiesOf } from '../../domain/order.ts';
import { withDetail } from '../../domain/product-names.ts';
import { lines, link, mailPage, note, paragraph, signature, type Block, type Line } from '../../shared/mail/email-page.ts';
import type { Db } from '../../server/database/db.ts';
import { ownLoop } from '../../server/queues/event-loop.ts';
import type { Rendering, RenderInput } from '../../server/mail/outbox-worker.ts';
import { counted } from '../../shared/counted.ts';
import { longDate } from '../../shared/dates.ts';
import { pickUpTimeText } from '../../shared/pick-up-time.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { orderUntilText } from '../distributions/texts.ts';
import { A_DAY } from '../emails/contract.ts';
import { countTowardDailyLimit, findOrderToConfirm, isMailOfChangeAboveCap, type OrderToConfirm } from '../emails/queries.ts';
import { NO_RECIPIENT } from '../emails/texts.ts';
import { confirmationHeldBack } from '../mailbox-limits/queries.ts';
import { pickUpText } from '../print/texts.ts';
import { PRINTED_TOTAL } from './texts.ts';

type OrderedProduct = OrderToConfirm['lines'][number];

const isEach = (uom: string | null): boolean => uom?.toLowerCase() === 'each';

function orderedLine(product: OrderedProduct, nameDetail: string | undefined): Line {
  const { quantity, unit_qty, unit_qty_is_estimate } = product;
  const uom = isEach(product.uom) ? null : product.uom;
  const per = `${dollars(product.unit_price)}${uom ? ` per ${uom}` : ' each'}`;
  const amount = [quantity * unit_qty, uom].filter(Boolean).join(' ');
  const label = `${quantity} × ${withDetail(product.name, nameDetail)}`;
  const total = dollars(lineTotal(product, quantity));
  return unit_qty_is_estimate
    ? { label, note: `about ${amount} at ${per}, final by weight`, value: `about ${total}` }
    : { label, note: unit_qty === 1 ? per : `${amount} at ${per}`, value: total };
}

/**
 * The maximum number of products that the mail lists. A mail with 5,000 products has 7 MB: rendering it would block the event loop, and the
 * log of mails stores it.
 */
const MAX_LISTED = 500;
/**
 * The maximum number of products in the copy of a mail that the log of mails stores. With 500 products, a copy would have up to 560 kB, and
 * the confirmations of one order could have 160 MB a day.
 */
const MAX_LOGGED = 10;

/** Returns the lines of the products. If there are more than `most` products, the last line sums up the products that are not listed. */
function orderedLines({ lines: ordered, nameDetails }: OrderToConfirm, most: number): Line[] {
  const listed = ordered.slice(0, most).map((product) => orderedLine(product, nameDetails.get(product.id)));
  const rest = ordered.slice(most);
  if (rest.length === 0) return listed;
  const total = dollars(sum(rest.map((product) => lineTotal(product, product.quantity))));
  const isEstimate = rest.some((product) => product.unit_qty_is_estimate);
  const label = `And ${counted(rest.length, 'other product')}`;
  return [...listed, { label, note: 'The order page lists all of them.', value: isEstimate ? `about ${total}` : total }];
}

function sums(order: OrderToConfirm, isEstimate: boolean): Line[] {
  const quantities = quantitiesOf(order.lines.map((line) => ({ productId: line.id, quantity: line.quantity })));
  const { subtotal, charges, total, printedTotal } = orderTotals(order.lines, quantities, order.fees);
  const about = isEstimate ? 'about ' : '';
  const printed = {
    label: PRINTED_TOTAL,
    note: 'There each fee is charged on the running total.',
    value: about + dollars(printedTotal),
  };
  return [
    { label: 'Subtotal', value: about + dollars(subtotal) },
    ...charges.map(({ fee, amount }) => ({
      label: feeLabel(fee),
      value: (fee.type === 'percent' ? about : '') + dollars(amount),
    })),
    { label: 'Total', value: about + dollars(total), isSum: true },
    ...(printedTotal === total ? [] : [printed]),
  ];
}

const changeUntil = ({ closesAt, timeZone }: OrderToConfirm['distribution']): string =>
  closesAt === null
    ? 'You can change it until ordering is closed.'
    : `${orderUntilText(zonedTime(closesAt, timeZone))}: you can change it until then.`;

/** Returns the lines about the pick-up time and the note, if the order has them (contract §16). */
const detailsOf = ({ slot, note, distribution }: OrderToConfirm): Block[] => [
  ...(slot ? [paragraph(`${pickUpText(pickUpTimeText(slot, distribution.timeZone))}.`)] : []),
  ...(note === null ? [] : [paragraph(`Your note: ${note}`)]),
];

function blocksOf(order: OrderToConfirm, publicUrl: string, most: number): Block[] {
  const { distribution } = order;
  const reference = `${distribution.name}, ${longDate(distribution.date)}. Order number ${order.id}.`;
  const blocked = orderingBlockedReason(distribution, order.now);
  const isOpen = blocked === null;
  const change = isOpen
    ? link('Change your order', `${publicUrl}/customer/order/${distribution.id}`)
    : note(`${blocked}. To change something, answer this e-mail.`);
  if (order.lines.length === 0) return [paragraph(reference), paragraph('There is nothing left in your order.'), change];
  const isEstimate = order.lines.some((line) => line.unit_qty_is_estimate);
  const weighed = 'What says “about” is sold by weight: its price is final once it is weighed.';
  return [
    paragraph(reference),
    ...detailsOf(order),
    lines(orderedLines(order, most)),
    lines(sums(order, isEstimate)),
    ...(isEstimate ? [note(weighed)] : []),
    change,
    ...(isOpen ? [note(changeUntil(distribution))] : []),
  ];
}

/**
 * Whether a daily limit of mails stops this confirmation. The limits apply only to changes by staff, because a stolen distributor account
 * must not flood customers with confirmations.
 */
const isAboveCap = async (db: Db, { isByStaff, distributorId }: OrderToConfirm, now: Date): Promise<boolean> =>
  isByStaff && (await isMailOfChangeAboveCap(db, distributorId, { now, isCounted: false }));

export async function confirmationMail({ db, env, mail, now }: RenderInput): Promise<Rendering> {
  const held = await confirmationHeldBack(db, mail, now);
  if (held) return held;
  const order = await findOrderToConfirm(db, mail.orderId);
  if (!order?.customer) return { suppressed: order?.hasEmail === false ? null : NO_RECIPIENT };
  if (await isAboveCap(db, order, now)) return { status: 'failed', response: A_DAY };
  const { customer, sender } = order;
  // Rendering several long orders in one iteration of the event loop would delay other requests.
  await ownLoop();
  const thanks = customer.firstName ? `Thank you, ${customer.firstName}` : 'Thank you';
  const heading = order.version === 1 ? `${thanks}: your order is in` : `${thanks}: your order as it is now`;
  const page = (most: number) =>
    mailPage({ heading, blocks: blocksOf(order, env.publicUrl, most), footer: sender ? signature(sender) : [] });
  return {
    to: customer.email,
    subject: `Your order for ${order.distribution.name}`,
    ...page(MAX_LISTED),
    ...(order.lines.length > MAX_LOGGED ? { logged: page(MAX_LOGGED).html } : {}),
    ...(sender ? { fromName: sender.name, replyTo: sender.email } : {}),
    ...(sender && order.isByStaff ? { onHandOver: async (db) => void (await countTowardDailyLimit(db, mail.id, sender.email)) } : {}),
  };
}
