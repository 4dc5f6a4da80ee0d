import { createHash } from 'node:crypto';
import { countLowered, type SharedOrder } from '../../domain/ordering/short-delivery.ts';
import { run, type Db } from '../../server/database/db.ts';
import { mapInSlices } from '../../server/queues/event-loop.ts';
import { enqueueAll, type NewMail } from '../../server/mail/outbox.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { Row } from '../../server/database/schema.ts';
import { longDate } from '../../shared/dates.ts';
import { escaped } from '../../shared/mail/email-page.ts';
import { nextCatalogueVersion } from '../distributions/queries.ts';
import { withinMailboxLimit } from '../mailbox-limits/queries.ts';
import { refuseAboveCap } from '../emails/queries.ts';
import { saveOrders } from '../orders/queries.ts';
import { saveOffer } from '../products/queries.ts';
import { removeSlotsOfEmptyOrders } from '../slots/queries.ts';
import type { Share } from './contract.ts';
import { gotText, orderText, subjectText, tooManyToInform } from './texts.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

type ProductKey = Pick<Row<'products'>, 'distributorId' | 'distributionId' | 'id'>;
interface OrderedLine extends Omit<Share, 'gets'> {
  readonly version: number;
  readonly originalQuantity: number;
  /** The `sortOrder` of the last unit with a recorded weight. Null if no unit has one. */
  readonly lastWeighed: number | null;
}
type SharedLine = OrderedLine & { readonly gets: number };

// Selects the order lines of a product, sorted by id. The ids show in which sequence customers first ordered the product. PostgreSQL reads
// the payments once into a hash table, and finds the last weight of each line by an index.
const ORDERED = `SELECT o.id AS "orderId", o."customerId", o.version, l.quantity AS ordered, l."originalQuantity", ${realEmailSql('u')} AS email,
    ${NAME_COLUMNS}, o."pickedUpAt" IS NOT NULL AS "isPickedUp",
    o.id IN (SELECT "orderId" FROM payments WHERE "distributorId" = $1 AND "distributionId" = $2 GROUP BY 1 HAVING sum(amount) > 0) AS "hasPayments",
    (SELECT max(w."sortOrder") FROM actual_quantities w WHERE w."orderProductId" = l.id) AS "lastWeighed"
  FROM order_products l JOIN orders o ON o.id = l."orderId" JOIN users u ON u.id = o."customerId" LEFT JOIN contacts c ON c."userId" = u.id
  WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l."productId" = $3 AND l.quantity > 0 ORDER BY l.id`;

/** Lists the order lines of the product, from the line that was ordered first to the line that was ordered last. */
export const listOrderedLines = (db: Db, { distributorId, distributionId, id }: ProductKey): Promise<OrderedLine[]> =>
  run<OrderedLine>(db, ORDERED, [distributorId, distributionId, id]);

/**
 * Returns one hash of what a preview shows: the ids and quantities of all orders, and for each lowered order whether it has payments or
 * weights, loses weights or is picked up. There may be 100,000 orders, so the server processes other requests in between.
 */
export async function quantitiesHashOf(shares: readonly (SharedOrder & Pick<Share, 'orderId'>)[]): Promise<string> {
  const quantities = await mapInSlices(shares, (slice) =>
    slice.map((share) => JSON.stringify([share.orderId, share.ordered, ...Object.values(countLowered([share]))])),
  );
  return createHash('sha256')
    .update(`[${quantities.join(',')}]`)
    .digest('base64url');
}

/**
 * How many orders one statement changes. For more orders, building its JSON would block the event loop, and save_orders_v3 would need time
 * that grows with the square of their number, because it compares each order with the list of the saved ones.
 */
const ORDERS_AT_ONCE = 2000;

/** How many mails are written at once. Writing all of them at once would block the event loop. */
const MAILS_AT_ONCE = 500;

function* batchesOf<Line>(lines: readonly Line[], size = ORDERS_AT_ONCE): Generator<readonly Line[]> {
  for (let start = 0; start < lines.length; start += size) yield lines.slice(start, start + size);
}

/**
 * Sets the quantities of a batch of lines to `gets`. `originalQuantity` is the quantity that the customer requested last. It stays unchanged,
 * because it is the distributor who lowers the quantity (contract §5). Orders that have no units left lose their pick-up time. The caller
 * must have locked the distribution, so that no order changes at the same time.
 */
async function lowerLines(db: Db, by: Viewer, product: ProductKey, lines: readonly SharedLine[]): Promise<void> {
  const results = await saveOrders(
    db,
    lines.map(({ orderId, customerId, version, gets, originalQuantity }) => ({
      distributionId: product.distributionId,
      item: {
        id: orderId,
        customerId,
        version: version + 1,
        updatedBy: by.userId,
        needsOpenOrdering: false,
        judgedBy: [],
        lines: [{ productId: product.id, quantity: gets, originalQuantity, isAudited: true }],
      },
    })),
  );
  if (results.some(({ outcome }) => outcome !== 'saved')) throw new Error('An order changed although its distribution was locked.');
  const orderIds = lines.filter(({ gets }) => gets === 0).map(({ orderId }) => orderId);
  await removeSlotsOfEmptyOrders(db, product.distributionId, { orderIds, updatedBy: by.userId });
}

/** Sets the quantities of these lines of the product to 0. The caller must have locked the distribution. */
export async function clearLines(db: Db, by: Viewer, product: ProductKey, lines: readonly OrderedLine[]): Promise<void> {
  for (const batch of batchesOf(lines)) {
    const cleared = batch.map((line) => ({ ...line, gets: 0 }));
    await lowerLines(db, by, product, cleared);
  }
}

/** Lowers the quantities of these lines to their shares. The caller must have locked the distribution. */
export async function saveShares(db: Db, by: Viewer, product: ProductKey, lowered: readonly SharedLine[]): Promise<void> {
  for (const batch of batchesOf(lowered)) await lowerWithoutConfirmations(db, by, product, batch);
}

/**
 * Lowers a batch of lines. Saving the orders queues confirmations. This function deletes them, because the distributor decides whether
 * customers are informed (contract §16).
 */
async function lowerWithoutConfirmations(db: Db, by: Viewer, product: ProductKey, lowered: readonly SharedLine[]): Promise<void> {
  const orderIds = lowered.map(({ orderId }) => orderId);
  const text = 'SELECT id, "confirmAt", "confirmVersion" FROM orders WHERE "distributorId" = $1 AND id = ANY($2::int[])';
  const confirmations = await run<{ id: number }>(db, text, [product.distributorId, orderIds]);
  await lowerLines(db, by, product, lowered);
  await run(db, RESTORE_CONFIRMATIONS, [product.distributorId, JSON.stringify(confirmations)]);
  // In PostgreSQL now() is the start of the transaction, so this statement finds only mails that this transaction has queued.
  const drop = `DELETE FROM emails WHERE "distributorId" = $1 AND "orderId" = ANY($2::int[]) AND kind = 'confirmation' AND "createdAt" = now()`;
  await run(db, drop, [product.distributorId, orderIds]);
}

const RESTORE_CONFIRMATIONS = `UPDATE orders o SET "confirmAt" = before."confirmAt", "confirmVersion" = before."confirmVersion"
  FROM jsonb_to_recordset($2) AS before (id int, "confirmAt" timestamptz, "confirmVersion" int)
  WHERE o."distributorId" = $1 AND o.id = before.id`;

const OF_PRODUCT = '"distributorId" = $1 AND "distributionId" = $2 AND id = $3';
// The limit of the product before the short delivery. After several short deliveries, this is the limit before the first one, unless staff
// have set another limit since then.
const LIMIT_BEFORE = `CASE WHEN "shortDelivery" IS NOT NULL AND total_limit IS NOT DISTINCT FROM ("shortDelivery"->>'limit')::int
    THEN "shortDelivery"->'limitBefore' ELSE to_jsonb(total_limit) END`;
const LIMIT = `UPDATE products SET total_limit = least(total_limit, $4),
    "shortDelivery" = jsonb_build_object('limitBefore', ${LIMIT_BEFORE}, 'limit', least(total_limit, $4)) WHERE ${OF_PRODUCT}`;

/**
 * Sets the limit of the product to the delivered units. Without this limit, customers could order the missing units again while ordering is
 * open, and staff could give them away later without a question. Stores the previous limit, because copies of the distribution get it.
 */
export async function limitToUnits(db: Db, product: ProductKey, units: number): Promise<void> {
  await run(db, LIMIT, [product.distributorId, product.distributionId, product.id, units]);
  await nextCatalogueVersion(db, product.distributionId);
}

const MARK_WITHDRAWN = `UPDATE products SET
    "shortDelivery" = jsonb_build_object('limitBefore', ${LIMIT_BEFORE}, 'limit', total_limit, 'isWithdrawn', true) WHERE ${OF_PRODUCT}`;

/**
 * Withdraws the product and deletes its waiting list. The caller uses this function when no unit was delivered. Stores that a short
 * delivery was the reason, because copies of the distribution then offer the product again. If staff have already withdrawn the product,
 * nothing changes, and copies leave the product out.
 */
export async function withdraw(db: Db, product: Row<'products'>): Promise<void> {
  if (product.notOffered) return;
  await saveOffer(db, product, true);
  await run(db, MARK_WITHDRAWN, [product.distributorId, product.distributionId, product.id]);
  await nextCatalogueVersion(db, product.distributionId);
}

interface Delivery {
  readonly distribution: { readonly name: string; readonly date: string };
  /** The product's name, with the details that distinguish it from products of the same name. */
  readonly product: string;
  readonly now: Date;
}

/**
 * Queues a mail to each customer who has an e-mail address and gets fewer units than ordered, unless the customer's mailbox has reached its
 * limit of mails. Throws when the distributor would cause more mails than allowed in a day. The mails are counted and written in batches: the
 * event loop does other work while the database works on a batch, and the mails of one batch count toward the limits of the next one.
 */
export async function enqueueShortDeliveries(
  db: Db,
  by: Viewer,
  { distribution, product, now }: Delivery,
  shares: readonly SharedLine[],
): Promise<void> {
  const informed = shares.filter(({ email, gets, ordered }) => gets < ordered && email !== null);
  if (informed.length === 0) return;
  await refuseAboveCap(db, by.tenantId, { now, more: informed.length, text: tooManyToInform });
  const subject = subjectText(product);
  const date = longDate(distribution.date);
  const mailOf = ({ to, orderId, customerId, ordered, gets }: SharedLine & { readonly to: string }): NewMail => ({
    kind: 'short-delivery',
    // The limit of mails to one mailbox counts the mails by this address.
    to,
    userId: customerId,
    distributorId: by.tenantId,
    // A mail with `replyTo` counts toward the distributor's daily limit of mails.
    replyTo: by.email,
    orderId,
    subject,
    html: [gotText(product, { ordered, gets }), orderText(distribution.name, date, orderId)]
      .map((sentence) => `<p>${escaped(sentence)}</p>`)
      .join(''),
    at: now,
  });
  for (const batch of batchesOf(informed, MAILS_AT_ONCE)) {
    const mails = batch.map((share) => ({ ...share, to: share.email ?? '' }));
    await enqueueAll(db, (await withinMailboxLimit(db, by.tenantId, { now, mails })).map(mailOf));
  }
}
