import { hashOfEmail } from '../../server/auth/account-lock.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { run, runOne, type Db } from '../../server/database/db.ts';
import { chunksOfFewRows, idChunks, readAhead, type IdChunk } from '../../server/database/id-chunks.ts';
import { assertFound } from '../../server/errors.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';
import { mailboxHashSql } from '../../server/mail/mailbox.ts';
import { realEmail } from '../../server/mail/placeholder-email.ts';
import type { PersonalData } from './contract.ts';

type StoredRow = Record<string, unknown>;

/** Matches the names of columns with secrets, which the file leaves out: passwords, tokens, keys, and hashes of cookies and links. */
const SECRET = /password|token|hash|secret|credential|publickey|challenge|^sid$/i;

/**
 * One list of the file, which contains rows of one table. The condition `where` selects the rows and calls the table t. $1 is the id of the
 * person, and $2 is the id of the distributor.
 */
interface Section {
  readonly table: string;
  readonly where: string;
  /** SQL for further columns, which contain the names that belong to ids in the row. */
  readonly more?: string;
  /** The column that identifies a row among the rows of this person; `id` if absent. */
  readonly key?: string;
  /** The SQL expression for the bytes of a row. It is set for tables in which one row can have a megabyte; few of them are read at once. */
  readonly bytes?: string;
}

const ORDERS = `(SELECT id FROM orders WHERE "distributorId" = $2 AND "customerId" = $1)`;
const LINES = `(SELECT id FROM order_products WHERE "distributorId" = $2 AND "orderId" IN ${ORDERS})`;
const EMAIL = '(SELECT email FROM users WHERE id = $1)';
// The ids of the mails to this person. Each SELECT of the UNION uses an index of its own. With a single OR condition instead, PostgreSQL
// would read the mails of all distributors.
const MAILS = `ARRAY(SELECT id FROM emails WHERE "userId" = $1 AND kind <> 'confirmation'
  UNION ALL SELECT id FROM emails WHERE "userId" = $1 AND kind = 'confirmation' AND "orderId" IS NULL
  UNION ALL SELECT id FROM emails WHERE "orderId" = ANY (ARRAY${ORDERS})
  UNION ALL SELECT id FROM emails WHERE "to" = ${EMAIL} AND "to" <> '' AND $2 IN ("distributorId", "joinDistributorId"))`;
const DISTRIBUTION = `(SELECT d.name FROM distributions d WHERE d.id = t."distributionId") AS "distributionName"`;
const PRODUCT = `(SELECT p.name FROM products p WHERE p.id = t."productId") AS "productName"`;
const PRODUCT_OF_LINE = `(SELECT p.name FROM order_products l JOIN products p ON p.id = l."productId" WHERE l.id = t."orderProductId") AS "productName"`;

/**
 * All tables with personal data. A test fails for a table that is neither here nor in the test's own list of tables without personal data.
 */
export const SECTIONS = {
  account: { table: 'users', where: 't.id = $1' },
  contact: { table: 'contacts', where: 't."userId" = $1' },
  contactCorrections: { table: 'contact_audit', where: 't."distributorId" = $2 AND t."userId" = $1' },
  accountChanges: { table: 'user_audit', where: 't."distributorId" = $2 AND t."userId" = $1' },
  organization: { table: 'organizations', where: 't."distributorId" = $1', key: '"distributorId"' },
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
    where: `t.id = ANY (${MAILS})`,
    bytes: 'octet_length(t.html)',
  },
  joinRequests: { table: 'join_requests', where: `t."distributorId" = $2 AND t.email = ${EMAIL}` },
  unsubscriptions: {
    table: 'unsubscriptions',
    where: `t."distributorId" = $2 AND t."mailboxHash" = (SELECT ${mailboxHashSql('u.email')} FROM users u WHERE u.id = $1)`,
    key: '"mailboxHash"',
  },
  formerUnsubscribeLinks: {
    table: 'former_unsubscribe_links',
    where: `t."distributorId" = $2 AND t."mailboxHash" = (SELECT ${mailboxHashSql('u.email')} FROM users u WHERE u.id = $1)`,
    key: 'token',
  },
  sessions: { table: 'session_store', where: 't."userId" = $1', key: 'sid' },
  devices: { table: 'devices', where: 't."userId" = $1', key: '"tokenHash"' },
  mailedLinks: { table: 'replaced_links', where: 't."userId" = $1', key: '"tokenHash"' },
  passkeys: { table: 'passkeys', where: 't."userId" = $1' },
  codeApps: { table: 'code_apps', where: 't."userId" = $1', key: '"userId"' },
  recoveryCodes: { table: 'recovery_codes', where: 't."userId" = $1', key: '"codeHash"' },
  pendingSignIns: { table: 'pending_sign_ins', where: 't."userId" = $1', key: '"tokenHash"' },
  secondFactorSetups: { table: 'second_factor_setups', where: 't."userId" = $1', key: 'kind' },
  failedSignIns: { table: 'network_attempts', where: 't."emailHash" = $3', key: 'network' },
  storedReplies: { table: 'idempotency_keys', where: 't."userId" = $1', key: 'key', bytes: `coalesce(octet_length(t.reply), 0)` },
} as const satisfies Partial<Record<keyof PersonalData, Section>>;

/** The actions of admins on the account of a distributor. They have their own table. */
const DISTRIBUTOR_CHANGES: Section = { table: 'distributor_audit', where: 't."distributorId" = $1' };

interface ChangesMade {
  readonly table: string;
  readonly where: string;
  /** The kind of the changed record. `record` and `at` are SQL expressions for the id of the record and the time of the change. */
  readonly what: string;
  readonly record: string;
  readonly at: string;
}

const BY_PERSON = 't."distributorId" = $2 AND t."updatedBy" = $1';
const OF_OTHERS = `t."updatedBy" = $1 AND EXISTS (SELECT FROM order_products l
  WHERE l.id = t."orderProductId" AND l."distributorId" = $2 AND l."orderId" NOT IN ${ORDERS})`;

/**
 * Changes that staff made concern other people, so the file contains only which record was changed and when. Customers change only what is
 * their own. For them, these lists are not read, because the searches may read the changes of all tenants.
 */
const CHANGES_MADE: readonly ChangesMade[] = [
  { what: 'distribution', table: 'distribution_audit', where: BY_PERSON, record: 't."distributionId"', at: 't."updatedAt"' },
  { what: 'price or fee', table: 'catalogue_audit', where: BY_PERSON, record: 'coalesce(t."productId", t."feeId")', at: 't."updatedAt"' },
  { what: 'upload of products', table: 'product_uploads', where: BY_PERSON, record: 't."distributionId"', at: 't."startedAt"' },
  { what: 'upload of customers', table: 'customer_uploads', where: BY_PERSON, record: 't.id', at: 't."startedAt"' },
  { what: 'contact', table: 'contact_audit', where: BY_PERSON, record: 't."userId"', at: 't."updatedAt"' },
  { what: 'account', table: 'user_audit', where: BY_PERSON, record: 't."userId"', at: 't."updatedAt"' },
  { what: 'distributor', table: 'distributor_audit', where: 't."updatedBy" = $1', record: 't."distributorId"', at: 't."updatedAt"' },
  { what: 'payment', table: 'payments', where: 't."distributorId" = $2 AND t."createdBy" = $1', record: 't.id', at: 't."createdAt"' },
  {
    what: 'order',
    table: 'order_audit',
    where: `${BY_PERSON} AND t."orderId" NOT IN ${ORDERS}`,
    record: 't."orderId"',
    at: 't."updatedAt"',
  },
  { what: 'quantity', table: 'order_product_audit', where: OF_OTHERS, record: 't."orderProductId"', at: 't."updatedAt"' },
  { what: 'weight', table: 'actual_quantity_audit', where: OF_OTHERS, record: 't."orderProductId"', at: 't."updatedAt"' },
];

const withoutSecrets = (row: StoredRow): StoredRow =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      SECRET.test(name) ? [] : [[name, typeof value === 'string' ? realEmail(value) : value]],
    ),
  );

type Person = Pick<Viewer, 'userId' | 'tenantId' | 'email' | 'role'>;

const CUSTOMER = `SELECT id AS "userId", "distributorId" AS "tenantId", email, role FROM users
  WHERE "distributorId" = $1 AND role = 'customer' AND id = $2 AND "removedAt" IS NULL`;

/** Returns the customer whose data the distributor exports. Throws 'not found' unless the customer belongs to the viewer's distributor. */
export async function findCustomer(db: Db, { tenantId }: Viewer, userId: number): Promise<Person> {
  return assertFound(await runOne<Person>(db, CUSTOMER, [tenantId, userId]), 'Customer');
}

const AT_ONCE = 250;
/**
 * A row can be long, so chunksOfFewRows counts it as several rows. Returns the SQL expression for this number of rows. A chunk then
 * contains at most 250 rows and 500 kB, or a single longer row.
 */
const rowsFor = (bytes: string): string => `(10000 / ${AT_ONCE} + ${bytes} / 50)`;
// A condition that is always true and contains all three parameters with their types. PostgreSQL refuses a parameter that a statement does
// not contain; with this condition, every statement accepts all three.
const TYPED = '($1::int, $2::int, $3::text) IS NOT NULL';

interface Source extends Section {
  readonly columns: string;
}

/** Yields the rows of one list, a few hundred at a time, because a person may have made a million changes. */
async function* chunksOf(
  db: Db,
  { table, where, columns, key, bytes }: Source,
  person: Person,
  queue: QueuePosition,
): AsyncGenerator<StoredRow[]> {
  const values = [person.userId, person.tenantId, hashOfEmail(person.email)];
  // The column `id` is used without a cast. With a cast, PostgreSQL could not use the index, and would read all ids for every chunk.
  const [id, ids] = key === undefined ? ['t.id', 'int[]'] : [`t.${key}::text`, 'text[]'];
  const rows = bytes === undefined ? '' : `, ${rowsFor(bytes)} AS rows`;
  const numbered = `SELECT ${id} AS id, row_number() OVER (ORDER BY ${id}) - 1 AS place${rows} FROM ${table} t WHERE (${where}) AND ${TYPED}`;
  const search = { numbered, values, queue };
  const chunks: readonly Pick<IdChunk, 'ids'>[] = await (bytes === undefined
    ? idChunks(db, { ...search, size: AT_ONCE })
    : chunksOfFewRows(db, search, 'c.rows'));
  const text = `SELECT ${columns} FROM ${table} t WHERE (${where}) AND ${TYPED} AND ${id} = ANY($4::${ids}) ORDER BY ${id}`;
  const read = (chunk: string) => runInQueue(queue, () => run<StoredRow>(db, text, [...values, chunk]));
  for await (const rows of readAhead(chunks, (chunk) => read(chunk.ids))) yield rows.map(withoutSecrets);
}

async function* concat(lists: readonly AsyncIterable<StoredRow[]>[]): AsyncGenerator<StoredRow[]> {
  for (const list of lists) yield* list;
}

/** Yields the file. Each list is read while it is sent, so that the file need not fit in memory. The reads wait in `queue`. */
export function personalDataOf(db: Db, person: Person, queue: QueuePosition) {
  const section = ({ more, ...source }: Section) =>
    chunksOf(db, { ...source, columns: more === undefined ? 't.*' : `t.*, ${more}` }, person, queue);
  const changes = (person.role === 'customer' ? [] : CHANGES_MADE).map(({ what, record, at, ...source }) =>
    chunksOf(db, { ...source, columns: `'${what}' AS what, ${record} AS id, ${at} AS at` }, person, queue),
  );
  const sections = Object.entries<Section>(SECTIONS).map(([name, source]) => [name, section(source)] as const);
  return {
    ...Object.fromEntries(sections),
    accountChanges: concat([section(SECTIONS.accountChanges), section(DISTRIBUTOR_CHANGES)]),
    changesMade: concat(changes),
  } as { [Name in keyof PersonalData]: AsyncGenerator<StoredRow[]> };
}
