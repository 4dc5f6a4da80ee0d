// Reads the audit trail from the audit tables. Most features write their audit rows themselves. This module writes the audit rows of
// distributions, contacts and users' access.
import { actorSql, realEmailSql } from '../../server/mail/placeholder-email.ts';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';
import { run, runOne, type Db } from '../../server/database/db.ts';
import { assertFound } from '../../server/errors.ts';
import type { Row } from '../../server/database/schema.ts';
import type { ListSource } from '../../server/database/id-chunks.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { CONTACT_FIELDS } from '../contact/contract.ts';
import { readNameDetails } from '../product-names/queries.ts';
import type { HistoryQuery, HistoryRow } from '../orders/contract.ts';
import { OF_DISTRIBUTION, type DistributionKey } from '../distributions/queries.ts';
import type { AuditQuery, AuditRow, UserAction } from './contract.ts';
import { THE_CLOCK } from './texts.ts';

const TERMS = ['name', 'date', 'published', 'acceptActuals', 'orderingOpen', 'groupOrder', 'opensAt', 'closesAt', 'remindHours'] as const;
type DistributionRow = Row<'distributions'>;

/** The audit trail contains at most this many characters of the names of the product groups. */
const MAX_GROUPS = 1000;

/** Returns the first product groups, which have at most MAX_GROUPS characters together. */
function shortened(groups: readonly string[]): readonly string[] {
  let characters = 0;
  const short = groups.filter((group) => (characters += group.length) <= MAX_GROUPS);
  return short.length === groups.length ? groups : [...short, '…'];
}

function termsIn(row: DistributionRow, names: readonly (typeof TERMS)[number][]): string {
  const terms = { ...row, groupOrder: row.groupOrder && shortened(row.groupOrder) };
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, terms[name]])));
}

const RECORD_DISTRIBUTION = `INSERT INTO distribution_audit ("distributorId", "distributionId", before, after, "updatedBy")
  VALUES ($1, $2, $3::jsonb, $4::jsonb, $5)`;

/** Writes an audit row only when a field of the distribution has changed; `before` is null for a new distribution. */
export async function recordDistribution(db: Db, by: Viewer, before: DistributionRow | null, after: DistributionRow): Promise<void> {
  const changed = TERMS.filter((name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after[name]));
  if (changed.length === 0) return;
  const key = [after.distributorId, after.id];
  await run(db, RECORD_DISTRIBUTION, [...key, before && termsIn(before, changed), termsIn(after, changed), by.userId]);
}

const RECORD_USER = `INSERT INTO user_audit ("distributorId", "userId", act, "previousEmail", "updatedBy") VALUES ($1, $2, $3, $4, $5)`;

/** Records an action of the user `by` on the access of a customer or agent. `user` contains the e-mail address before the action. */
export async function recordUserAction(
  db: Db,
  by: Pick<Viewer, 'tenantId' | 'userId'>,
  act: UserAction,
  user: { id: number; email: string },
): Promise<void> {
  await run(db, RECORD_USER, [by.tenantId, user.id, act, act === 'mend' ? user.email : null, by.userId]);
}

const RECORD_CONTACT = `INSERT INTO contact_audit ("distributorId", "userId", before, after, "updatedBy")
  VALUES ($1, $2, $3::jsonb, $4::jsonb, $5)`;

/** Records a correction of a contact by staff. Writes no row if no field differs. `before` is null if there was no contact. */
export async function recordContact(db: Db, by: Viewer, before: Row<'contacts'> | null, after: Row<'contacts'>): Promise<void> {
  const changed = CONTACT_FIELDS.filter((name) => (before?.[name] ?? '') !== after[name]);
  if (changed.length === 0) return;
  const fieldsOf = (row: Row<'contacts'> | null) => JSON.stringify(Object.fromEntries(changed.map((name) => [name, row?.[name] ?? ''])));
  await run(db, RECORD_CONTACT, [by.tenantId, after.userId, fieldsOf(before), fieldsOf(after), by.userId]);
}

export async function recordRemoval(
  db: Db,
  by: Pick<Viewer, 'tenantId' | 'userId'>,
  removed: number,
  act: 'remove' | 'undo-upload' = 'remove',
): Promise<void> {
  const text = `INSERT INTO user_audit ("distributorId", act, "removedCount", "updatedBy") VALUES ($1, $4, $2, $3)`;
  await run(db, text, [by.tenantId, removed, by.userId, act]);
}

const LINES = `SELECT id AS "orderProductId", "orderId", "productId" FROM order_products WHERE ${OF_DISTRIBUTION}`;

// Selects the time when the distribution was created. The audit trail omits actions on users' access before this time. If no audit row of
// the creation exists, the trail contains all actions on access.
const BEGINNING = `SELECT coalesce(min("updatedAt"), '-infinity') FROM distribution_audit WHERE ${OF_DISTRIBUTION} AND before IS NULL`;

/**
 * The SQL expression for the changed fields. Rows of earlier versions may contain a very long `groupOrder` (the sequence of the product
 * groups), which this expression shortens.
 */
const withoutLongGroups = (fields: string): string =>
  `CASE WHEN length(${fields}->>'groupOrder') > 20000 THEN ${fields} || '{"groupOrder": ["…"]}' ELSE ${fields} END`;

// Selects all changes. The first audit row of an order line appears as a change from quantity 0. Changes with equal times are sorted by
// `source` and `id`.
const CHANGES = `lines AS (${LINES}),
  changes AS (
    SELECT 'quantity' AS kind, 1 AS source, a.id, "updatedAt" AS at, "updatedBy", "orderId", "productId", NULL::int AS "userId", NULL::text AS name,
      jsonb_build_object('from', lag(quantity, 1, 0) OVER (PARTITION BY "orderProductId" ORDER BY a.id), 'to', quantity) AS detail
    FROM order_product_audit a JOIN lines USING ("orderProductId")
    UNION ALL SELECT 'weight', 2, w.id, "updatedAt", "updatedBy", "orderId", "productId", NULL, NULL,
      jsonb_build_object('unit', "sortOrder" + 1, 'from', "previousQuantity", 'to', "actualQuantity")
    FROM actual_quantity_audit w JOIN lines USING ("orderProductId")
    UNION ALL SELECT CASE WHEN "feeId" IS NULL THEN 'price' ELSE 'fee' END, 3, id, "updatedAt", "updatedBy", NULL, "productId", NULL, name,
      jsonb_build_object('before', before, 'after', after) FROM catalogue_audit WHERE ${OF_DISTRIBUTION}
    UNION ALL SELECT 'payment', 4, id, "createdAt", "createdBy", "orderId", NULL, NULL, NULL,
      jsonb_build_object('amount', amount, 'feeAmount', "feeAmount", 'paymentMethod', "paymentMethod", 'description', description)
    FROM payments WHERE ${OF_DISTRIBUTION}
    UNION ALL SELECT 'distribution', 5, id, "updatedAt", "updatedBy", NULL, NULL, NULL, NULL,
      jsonb_build_object('before', ${withoutLongGroups('before')}, 'after', ${withoutLongGroups('after')}) FROM distribution_audit WHERE ${OF_DISTRIBUTION}
    UNION ALL SELECT 'person', 6, id, "updatedAt", "updatedBy", NULL, NULL, "userId", NULL,
      jsonb_strip_nulls(jsonb_build_object('removed', "removedCount")) || jsonb_build_object('act', act, 'previousEmail', CASE WHEN "previousEmail" NOT LIKE '%${PLACEHOLDER_DOMAIN}' THEN "previousEmail" END) FROM user_audit WHERE "distributorId" = $1 AND "updatedAt" >= (${BEGINNING})
    UNION ALL SELECT 'contact', 7, id, "updatedAt", "updatedBy", NULL, NULL, "userId", NULL,
      jsonb_build_object('before', before, 'after', after) FROM contact_audit WHERE "distributorId" = $1 AND "updatedAt" >= (${BEGINNING})
    UNION ALL SELECT 'order', 8, id, "updatedAt", "updatedBy", "orderId", NULL, NULL, NULL,
      jsonb_build_object('before', before, 'after', after) FROM order_audit WHERE ${OF_DISTRIBUTION})`;

const BY = `coalesce(${actorSql('who')}, '${THE_CLOCK}')`;
const MICROSECONDS = `(extract(epoch FROM c.at) * 1000000)::bigint`;
// The filter for the kind 'quantity' also finds changes of the kind 'order', such as a changed note.
const FOUND = `($3::text IS NULL OR CASE c.kind WHEN 'order' THEN 'quantity' ELSE c.kind END = $3)
  AND ($4::bigint IS NULL OR (${MICROSECONDS}, c.source, c.id) < ($4, $5::int, $6::bigint))
  AND ($7::text IS NULL OR position(lower($7) IN lower(concat_ws(' ', coalesce(who.email, '${THE_CLOCK}'), ${realEmailSql('whose')}, k."firstName", k."lastName"))) > 0)
  AND ($8::text IS NULL OR position(lower($8) IN lower(concat_ws(' ', p.product_code, coalesce(p.name, c.name), c.detail->>'paymentMethod',
    c.detail->>'description'))) > 0)`;

const LIST = `WITH ${CHANGES}
  SELECT ${MICROSECONDS} || '.' || c.source || '.' || c.id AS key, c.kind, c.at, ${BY} AS by, who.role AS "byRole", c."orderId",
    c."productId", p.product_code AS "productCode", coalesce(p.name, c.name) AS item,
    CASE WHEN c.kind = 'weight' THEN c.detail || jsonb_build_object('uom', p.uom) ELSE c.detail END AS detail,
    CASE WHEN whose.id IS NOT NULL THEN
      json_build_object('email', ${realEmailSql('whose')}, 'firstName', nullif(k."firstName", ''), 'lastName', nullif(k."lastName", '')) END AS person
  FROM changes c LEFT JOIN users who ON who.id = c."updatedBy" LEFT JOIN orders o ON o.id = c."orderId"
    LEFT JOIN users whose ON whose.id = coalesce(o."customerId", c."userId") LEFT JOIN contacts k ON k."userId" = whose.id
    LEFT JOIN products p ON p.id = c."productId"
  WHERE ${FOUND} ORDER BY c.at DESC, c.source DESC, c.id DESC LIMIT $9`;

interface OfProduct {
  productId?: number | null;
  nameDetail?: string | undefined;
}

/**
 * Removes the product id from each row, and adds the part of the description that distinguishes the product from others with the same name.
 */
async function addNameDetails(db: Db, distribution: DistributionKey, rows: readonly OfProduct[]): Promise<void> {
  const details = await readNameDetails(db, distribution);
  for (const row of rows) {
    const nameDetail = details.get(row.productId ?? 0);
    if (nameDetail !== undefined) row.nameDetail = nameDetail;
    delete row.productId;
  }
}

/** Splits the key in `after` into its three numbers: time, source and id. Returns three nulls when the query has no `after`. */
const cursorOf = ({ after }: { after?: string | undefined }): readonly (number | null)[] =>
  after?.split('.').map(Number) ?? [null, null, null];

export async function listAuditOf(db: Db, distribution: ListSource, query: AuditQuery): Promise<AuditRow[]> {
  const filters = [query.person || null, query.text || null];
  const values = [distribution.distributorId, distribution.id, query.kind ?? null, ...cursorOf(query), ...filters, query.limit];
  const rows = await runInQueue(distribution, () => run<AuditRow>(db, LIST, values));
  await addNameDetails(db, distribution, rows);
  return rows;
}

// Selects the changes that concern one order: changes of its lines, changes of the prices of its products while it contained them, and
// changes of fees while it contained any product. The first audit row of a line appears as a change from quantity 0.
// `added` is by how much a change of a line increased the quantity of its product, and in the rows with the product id 0, by how much it
// increased the number of products in the order. The sum of the earlier rows therefore says what the order contained at the time of a change
// of a price or fee. Joining these changes with the lines instead could take minutes, because PostgreSQL underestimates their numbers.
const OF_ORDER = `WITH quantities AS (
    SELECT a.*, l."productId", lag(a.quantity, 1, 0) OVER (PARTITION BY a."orderProductId" ORDER BY a.id) AS before
    FROM order_products l JOIN order_product_audit a ON a."orderProductId" = l.id WHERE l."orderId" = $3),
  added AS (
    SELECT id, "updatedAt", "updatedBy", coalesce("productId", 0) AS "productId", name, before, after, 0 AS added FROM catalogue_audit WHERE ${OF_DISTRIBUTION}
    UNION ALL SELECT NULL, "updatedAt", NULL, "productId", NULL, NULL, NULL, quantity - before FROM quantities
    UNION ALL SELECT NULL, "updatedAt", NULL, 0, NULL, NULL, NULL, (quantity > 0)::int - (before > 0)::int FROM quantities),
  terms AS (SELECT *, sum(added) OVER (PARTITION BY "productId" ORDER BY "updatedAt") AS contained FROM added),
  changes AS (
    SELECT 'quantity' AS kind, 1 AS source, "updatedAt" AS at, "updatedBy", "productId", NULL::text AS "feeName", NULL::int AS unit,
      before::numeric AS "from", quantity::numeric AS "to", NULL::jsonb AS before, NULL::jsonb AS after,
      NULL::bigint AS amount, NULL::text AS "paymentMethod", id FROM quantities
    UNION ALL SELECT 'weight', 2, w."updatedAt", w."updatedBy", l."productId", NULL, w."sortOrder" + 1, w."previousQuantity", w."actualQuantity",
      NULL, NULL, NULL, NULL, w.id FROM order_products l JOIN actual_quantity_audit w ON w."orderProductId" = l.id WHERE l."orderId" = $3
    UNION ALL SELECT CASE WHEN "productId" = 0 THEN 'fee' ELSE 'price' END, 3, "updatedAt", "updatedBy", nullif("productId", 0),
      CASE WHEN "productId" = 0 THEN name END, NULL, NULL, NULL, before, after, NULL, NULL, id FROM terms WHERE id IS NOT NULL AND contained > 0
    UNION ALL SELECT 'payment', 4, "createdAt", "createdBy", NULL, NULL, NULL, NULL, NULL, NULL, NULL, amount, "paymentMethod", id
    FROM payments WHERE ${OF_DISTRIBUTION} AND "orderId" = $3
    UNION ALL SELECT 'order', 8, "updatedAt", "updatedBy", NULL, NULL, NULL, NULL, NULL, before, after, NULL, NULL, id
    FROM order_audit WHERE ${OF_DISTRIBUTION} AND "orderId" = $3)
  SELECT ${MICROSECONDS} || '.' || c.source || '.' || c.id AS key, kind, at, ${actorSql('u')} AS by, u.role AS "byRole", c."productId",
    p.name AS "productName", p.product_code AS "productCode", "feeName", unit,
    CASE WHEN kind = 'weight' THEN p.uom END AS uom, "from", "to", before, after, amount, "paymentMethod"
  FROM changes c JOIN users u ON u.id = c."updatedBy" LEFT JOIN products p ON p.id = c."productId"
  WHERE $4::bigint IS NULL OR (${MICROSECONDS}, c.source, c.id) < ($4, $5::int, $6::bigint)
  ORDER BY at DESC, c.source DESC, c.id DESC LIMIT $7`;

const DISTRIBUTION_OF_ORDER = 'SELECT "distributorId", "distributionId" AS id FROM orders WHERE "distributorId" = $1 AND id = $2';

/**
 * Returns the changes of one order, newest first: of quantities, weights, payments, note and pick-up time, and of prices and fees that
 * affected the order.
 */
export async function listHistory(db: Db, { distributorId, id: orderId, signal }: ListSource, page: HistoryQuery): Promise<HistoryRow[]> {
  const distribution = assertFound(await runOne<DistributionKey>(db, DISTRIBUTION_OF_ORDER, [distributorId, orderId]), 'Order');
  const values = [distributorId, distribution.id, orderId, ...cursorOf(page), page.limit];
  const rows = await runInQueue({ distributorId, signal }, () => run<HistoryRow>(db, OF_ORDER, values));
  await addNameDetails(db, distribution, rows);
  return rows;
}
