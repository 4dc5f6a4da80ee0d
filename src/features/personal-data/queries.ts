import { hashOfEmail } from '../../server/auth/sign-in-attempts.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { run, snapshot, type Db } from '../../server/database/db.ts';
import type { Tables } from '../../server/database/schema.ts';
import { notFound } from '../../server/http/errors.ts';
import { realEmail } from '../../server/mail/placeholder-email.ts';
import type { PersonalData } from './contract.ts';

type StoredRow = Record<string, unknown>;

/** Columns with secrets: passwords, tokens, and hashes of cookies and links. */
const SECRET = /password|token|hash|secret|credential|publickey|challenge|^sid$/i;

/** One list of the file. The rows of `where` are rows of `table` as t; $1 is the person, $2 the tenant. */
interface Section {
  readonly table: keyof Tables;
  readonly where: string;
  /** Additional columns with names for the ids. */
  readonly more?: string;
}

const ORDERS = `(SELECT id FROM orders WHERE "distributorId" = $2 AND "customerId" = $1)`;
const LINES = `(SELECT id FROM order_products WHERE "distributorId" = $2 AND "orderId" IN ${ORDERS})`;
const EMAIL = '(SELECT email FROM users WHERE id = $1)';
const DISTRIBUTION = `(SELECT d.name FROM distributions d WHERE d.id = t."distributionId") AS "distributionName"`;
const PRODUCT = `(SELECT p.name FROM products p WHERE p.id = t."productId") AS "productName"`;
const PRODUCT_OF_LINE = `(SELECT p.name FROM order_products l JOIN products p ON p.id = l."productId" WHERE l.id = t."orderProductId") AS "productName"`;

/** Every table with personal data. A test fails for a table that is neither here nor in the test's list of tables without personal data. */
export const SECTIONS = {
  account: { table: 'users', where: 't.id = $1' },
  contact: { table: 'contacts', where: 't."userId" = $1' },
  contactCorrections: { table: 'contact_audit', where: 't."distributorId" = $2 AND t."userId" = $1' },
  accountChanges: { table: 'user_audit', where: 't."distributorId" = $2 AND t."userId" = $1' },
  organization: { table: 'organizations', where: 't."distributorId" = $1' },
  orders: {
    table: 'orders',
    where: `t.id IN ${ORDERS}`,
    more: `${DISTRIBUTION}, (SELECT d.date FROM distributions d WHERE d.id = t."distributionId") AS "distributionDate"`,
  },
  orderLines: { table: 'order_products', where: `t.id IN ${LINES}`, more: `${DISTRIBUTION}, ${PRODUCT}` },
  weights: { table: 'actual_quantities', where: `t."orderProductId" IN ${LINES}`, more: PRODUCT_OF_LINE },
  payments: { table: 'payments', where: `t."orderId" IN ${ORDERS}`, more: DISTRIBUTION },
  quantityChanges: { table: 'order_product_audit', where: `t."orderProductId" IN ${LINES}`, more: PRODUCT_OF_LINE },
  weightChanges: { table: 'actual_quantity_audit', where: `t."orderProductId" IN ${LINES}`, more: PRODUCT_OF_LINE },
  orderChanges: { table: 'order_audit', where: `t."orderId" IN ${ORDERS}` },
  waitingList: { table: 'waiting_list', where: 't."distributorId" = $2 AND t."customerId" = $1', more: PRODUCT },
  tills: { table: 'tills', where: 't."distributorId" = $2 AND t."userId" = $1', more: DISTRIBUTION },
  emails: {
    table: 'emails',
    where: `t."userId" = $1 OR t."orderId" IN ${ORDERS} OR (t."to" = ${EMAIL} AND $2 IN (t."distributorId", t."joinDistributorId"))`,
  },
  joinRequests: { table: 'join_requests', where: `t."distributorId" = $2 AND t.email = ${EMAIL}` },
  sessions: { table: 'session_store', where: 't."userId" = $1' },
  devices: { table: 'devices', where: 't."userId" = $1' },
  mailedLinks: { table: 'replaced_links', where: 't."userId" = $1' },
  passkeys: { table: 'passkeys', where: 't."userId" = $1' },
  codeApps: { table: 'code_apps', where: 't."userId" = $1' },
  recoveryCodes: { table: 'recovery_codes', where: 't."userId" = $1' },
  pendingSignIns: { table: 'pending_sign_ins', where: 't."userId" = $1' },
  secondFactorSetups: { table: 'second_factor_setups', where: 't."userId" = $1' },
  failedSignIns: { table: 'network_attempts', where: 't."emailHash" = $3' },
  storedReplies: { table: 'idempotency_keys', where: 't."userId" = $1' },
} as const satisfies Partial<Record<keyof PersonalData, Section>>;

/** An admin's actions on a distributor are in a table of their own. */
const DISTRIBUTOR_CHANGES = 'SELECT * FROM distributor_audit WHERE "distributorId" = $1 ORDER BY id';

/** Changes by staff concern other people, so the file contains only the record and the time. Customers change only their own orders. */
export const CHANGES_MADE = {
  distributions: `SELECT 'distribution' AS what, "distributionId" AS id, "updatedAt" AS at FROM distribution_audit WHERE "distributorId" = $2 AND "updatedBy" = $1`,
  prices: `SELECT 'price or fee', coalesce("productId", "feeId"), "updatedAt" FROM catalogue_audit WHERE "distributorId" = $2 AND "updatedBy" = $1`,
  uploads: `SELECT 'upload of products', "distributionId", "startedAt" FROM product_uploads WHERE "distributorId" = $2 AND "updatedBy" = $1`,
  people: `SELECT 'account', "userId", "updatedAt" FROM user_audit WHERE "distributorId" = $2 AND "updatedBy" = $1`,
  contacts: `SELECT 'contact', "userId", "updatedAt" FROM contact_audit WHERE "distributorId" = $2 AND "updatedBy" = $1`,
  distributors: `SELECT 'distributor', "distributorId", "updatedAt" FROM distributor_audit WHERE "updatedBy" = $1`,
  payments: `SELECT 'payment', id, "createdAt" FROM payments WHERE "distributorId" = $2 AND "createdBy" = $1`,
  orders: `SELECT 'order', "orderId", "updatedAt" FROM order_audit WHERE "distributorId" = $2 AND "updatedBy" = $1 AND "orderId" NOT IN ${ORDERS}`,
  quantities: `SELECT 'quantity', a."orderProductId", a."updatedAt" FROM order_product_audit a JOIN order_products l ON l.id = a."orderProductId"
    WHERE l."distributorId" = $2 AND a."updatedBy" = $1 AND l."orderId" NOT IN ${ORDERS}`,
  weights: `SELECT 'weight', a."orderProductId", a."updatedAt" FROM actual_quantity_audit a JOIN order_products l ON l.id = a."orderProductId"
    WHERE l."distributorId" = $2 AND a."updatedBy" = $1 AND l."orderId" NOT IN ${ORDERS}`,
};

const withoutSecrets = (row: StoredRow): StoredRow =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      SECRET.test(name) ? [] : [[name, typeof value === 'string' ? realEmail(value) : value]],
    ),
  );

const AT_ONCE = 500;

async function* inBatches(rows: readonly StoredRow[]): AsyncGenerator<StoredRow[]> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield rows.slice(from, from + AT_ONCE);
}

interface Person {
  readonly userId: number;
  readonly tenantId: number;
  readonly email: string;
}

const CUSTOMER = `SELECT id AS "userId", "distributorId" AS "tenantId", email FROM users
  WHERE "distributorId" = $1 AND role = 'customer' AND id = $2 AND "removedAt" IS NULL`;

/** The access check for the data of one customer. */
export async function findCustomer(db: Db, { tenantId }: Viewer, userId: number): Promise<Person> {
  const [customer] = await run<Person>(db, CUSTOMER, [tenantId, userId]);
  if (!customer) throw notFound('Customer');
  return customer;
}

/** All lists from one consistent snapshot. Sent in batches, because a member of staff may have changed thousands of rows. */
export async function personalDataOf(db: Db, { userId, tenantId, email }: Person) {
  const lists = await snapshot(db, async (db) => {
    const read: Record<string, StoredRow[]> = {};
    for (const [name, { table, where, more }] of Object.entries<Section>(SECTIONS)) {
      const text = `SELECT t.*${more === undefined ? '' : `, ${more}`} FROM ${table} t
        WHERE (${where}) AND ($1::int, $2::int, $3::text) IS NOT NULL ORDER BY 1`;
      read[name] = (await run<StoredRow>(db, text, [userId, tenantId, hashOfEmail(email)])).map(withoutSecrets);
    }
    read['accountChanges']?.push(...(await run<StoredRow>(db, DISTRIBUTOR_CHANGES, [userId])));
    const changes = `SELECT * FROM (${Object.values(CHANGES_MADE).join('\n UNION ALL ')}) made ORDER BY at`;
    read['changesMade'] = await run<StoredRow>(db, changes, [userId, tenantId]);
    return read;
  });
  return Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, inBatches(rows)])) as {
    [Name in keyof PersonalData]: AsyncGenerator<StoredRow[]>;
  };
}
