import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/data/order-rows.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { sql } from 'kysely';
import { hashOfEmail } from '../../server/auth/account-lock.ts';
import type { PersonalData } from './contract.ts';
import { EMAILS } from '../former-customers/queries.ts';
import { SECTIONS } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor, { address: '12 Export Lane' });
});

async function makeHistory(): Promise<void> {
  await testApp.db.updateTable('users').set({ password: 'secret-password-hash' }).where('id', '=', customer.id).execute();
  const distribution = await makeDistribution(testApp.db, distributor, { name: 'Export Passover' });
  const product = await makeProduct(testApp.db, distribution, { name: 'Export brisket' });
  const { id: orderId, lines } = await makeOrder(testApp.db, distribution, customer, [[product, 2]]);
  await testApp.db.updateTable('orders').set({ note: 'Note to export' }).where('id', '=', orderId).execute();
  await weigh(testApp.db, lines[0], [4.125], agent);
  await pay(testApp.db, distribution, { orderId, amount: 500, by: agent, paymentMethod: 'Check', description: 'Check to export' });
  await testApp.request(distributor, { method: 'PATCH', url: `/api/users/customer/${customer.id}`, payload: { phone: '555-0200' } });
  await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${customer.id}/invite` });
  const own = { userId: customer.id };
  await testApp.db
    .insertInto('devices')
    .values({ ...own, tokenHash: `secret-device ${customer.id}` })
    .execute();
  await testApp.db
    .insertInto('replaced_links')
    .values({ ...own, tokenHash: `secret-link ${customer.id}`, expires: '2027-05-01T00:00:00Z' })
    .execute();
  const attempt = { emailHash: hashOfEmail(customer.email), network: '192.0.2.7', loginAttempts: 2, lastFailureAt: '2027-04-01T00:00:00Z' };
  await testApp.db.insertInto('network_attempts').values(attempt).execute();
  const request = { distributorId: distributor.id, email: customer.email, tokens: ['secret-token'], expiresAt: '2027-05-01T00:00:00Z' };
  await testApp.db.insertInto('join_requests').values(request).execute();
}

const read = async (by: Person, url: string) => await testApp.request(by, { method: 'GET', url });

test('the export contains everything that is stored about one person; the person and the distributor can download it (contract §18)', async () => {
  await makeHistory();
  const own = await read(customer, '/api/export');
  expect(own.headers['content-disposition']).toBe('attachment; filename="feastday-my-data.json"');
  expect(own.headers['content-type']).toBe('application/json; charset=utf-8');
  const data = own.json<PersonalData>();
  expect(data).toMatchObject({
    account: [{ id: customer.id, email: customer.email, role: 'customer' }],
    contact: [{ firstName: 'Rivka', address: '12 Export Lane', phone: '555-0200' }],
    contactCorrections: [{ before: { phone: '555-0100' }, after: { phone: '555-0200' } }],
    accountChanges: [{ act: 'invite', updatedBy: distributor.id }],
    orders: [{ note: 'Note to export', distributionName: 'Export Passover', distributionDate: '2027-04-15' }],
    orderLines: [{ quantity: 2, productName: 'Export brisket' }],
    weights: [{ actualQuantity: 4.125, productName: 'Export brisket' }],
    payments: [{ amount: 500, description: 'Check to export' }],
    emails: [{ kind: 'invitation' }],
    joinRequests: [{ email: customer.email }],
    devices: [{ userId: customer.id }],
    mailedLinks: [{ expires: '2027-05-01T00:00:00.000Z' }],
    failedSignIns: [{ network: '192.0.2.7' }],
    changesMade: [],
  });
  expect(data.sessions.length).toBe(1);
  expect(own.body).not.toMatch(/secret-|"sid"|"password"|[Tt]oken"/);

  const staff = await read(distributor, `/api/users/customer/${customer.id}/export`);
  expect(staff.headers['content-disposition']).toBe('attachment; filename="feastday-customer-data.json"');
  expect({ ...staff.json<PersonalData>(), sessions: [] }).toEqual({ ...data, sessions: [] });
});

test('the export of a member of staff lists the changes that this person made, without data of other people (contract §18)', async () => {
  await makeHistory();
  const data = (await read(agent, '/api/export')).json<PersonalData>();
  expect(data.changesMade).toMatchObject([{ what: 'payment' }]);
  const distributors = await read(distributor, '/api/export');
  expect(distributors.json<PersonalData>().changesMade.map(({ what }) => what)).toEqual(['contact', 'account']);
  expect(distributors.body).not.toContain('12 Export Lane');
});

test('the export of a customer contains nothing of another customer and nothing of another tenant (contract §18)', async () => {
  await makeHistory();
  const other = await makeCustomer(testApp.db, distributor);
  const { account, contact, sessions, ...rest } = (await read(other, '/api/export')).json<PersonalData>();
  expect([account.length, contact.length, sessions.length]).toEqual([1, 1, 1]);
  expect(Object.values(rest).flat()).toEqual([]);
  const foreign = await makeDistributor(testApp.db);
  const answer = await read(foreign, `/api/users/customer/${customer.id}/export`);
  expect([answer.statusCode, answer.body]).toEqual([404, 'Customer not found']);
});

/** The tables for which the file of personal data has no list of rows, each with the reason. */
const NOT_PERSONAL = {
  distributions: 'of the distributor',
  fees: 'of the distributor',
  products: 'of the distributor',
  product_images: 'of the distributor',
  slots: 'of the distributor',
  distribution_audit: 'in changesMade',
  catalogue_audit: 'in changesMade',
  product_uploads: 'in changesMade',
  product_upload_writes: 'of the distributor',
  customer_uploads: 'in changesMade',
  distributor_audit: 'in changesMade, and of a distributor in accountChanges',
  erased_recipients: 'hashes that nobody can read and sizes, of mails to forgotten people',
  join_networks: 'counts of networks',
  reset_networks: 'counts of networks',
  saved_rows: 'counts of a day, and of the changes that the file contains',
  sign_in_addresses: 'counts of networks',
  unknown_sign_ins: 'addresses without an account',
  last_backup: 'of the installation',
  migrations: 'of the installation',
};

test('every table is either in the export or known to contain nothing about a person (contract §18)', async () => {
  const { rows } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' ORDER BY 1`.execute(testApp.db);
  const known = [...Object.values(SECTIONS).map(({ table }) => table), ...Object.keys(NOT_PERSONAL)];
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name));
});

/** Downloads the customer's export as a stream, because joining the parts of a long response would block the event loop, too. */
async function longestBlockOfExport() {
  const cookie = await testApp.cookieOf(customer);
  const { longest, result } = await longestBlock(async () => {
    const answer = await testApp.app.inject({ url: '/api/export', headers: { cookie }, payloadAsStream: true });
    return (await answer.stream().toArray()) as Buffer[];
  });
  return { longest, data: JSON.parse(Buffer.concat(result).toString()) as PersonalData };
}

test(
  'the export of a person with a hundred thousand changes does not block other requests (contract §18; reliability "freeze")',
  { tags: ['long'] },
  async () => {
    const distribution = await makeDistribution(testApp.db, distributor);
    const { lines } = await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution), 2]]);
    const [line] = lines;
    // One statement inserts all changes, because a trigger limits the number of changes per minute when each is inserted by a statement of
    // its own.
    await sql`INSERT INTO order_product_audit ("orderProductId", quantity, "updatedAt", "updatedBy")
    SELECT ${line?.id}, n % 9, now() - n * interval '1 minute', ${customer.id} FROM generate_series(1, 100000) n`.execute(testApp.db);
    const { longest, data } = await longestBlockOfExport();
    expect(data.quantityChanges.length).toBe(100_000);
    expect(longest).toBeLessThan(100);
  },
);

test(
  'the export of a person with long stored replies and mails does not block other requests (contract §18; reliability "freeze")',
  { tags: ['long'] },
  async () => {
    const now = testApp.time.toISOString();
    const reply = JSON.stringify('A'.repeat(1_900_000));
    const keys = Array.from({ length: 20 }, (_, n) => ({
      userId: customer.id,
      key: `key ${n}`,
      bodyHash: '',
      status: 200,
      reply,
      createdAt: now,
    }));
    await testApp.db.insertInto('idempotency_keys').values(keys).execute();
    const mails = Array.from({ length: 40 }, () => ({ from: '', to: '', subject: '', html: 'A'.repeat(200_000), userId: customer.id }));
    await testApp.db.insertInto('emails').values(mails).execute();
    const { longest, data } = await longestBlockOfExport();
    expect([data.storedReplies.length, data.emails.length]).toEqual([20, 40]);
    expect(longest).toBeLessThan(100);
  },
);

test("exporting a person's data and forgetting a customer find the mails by indexes, and do not read the mails of other distributors (reliability abuse)", async () => {
  const foreign = await makeDistributor(testApp.db);
  await sql`INSERT INTO emails (kind, status, "from", "to", subject, html, "distributorId", "userId")
    SELECT 'bulk', 'sent', '', 'other' || n || '@test.example', '', '', ${foreign.id}, ${foreign.id} FROM generate_series(1, 5000) n`.execute(
    testApp.db,
  );
  await sql`ANALYZE emails`.execute(testApp.db);
  const planOf = async (text: string) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`EXPLAIN ${text}`)}`.execute(testApp.db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const exported = `SELECT id FROM emails t WHERE ${SECTIONS.emails.where}`.replaceAll('$1', `${customer.id}`);
  expect(await planOf(exported.replaceAll('$2', `${distributor.id}`))).not.toContain('Seq Scan on emails');
  const values = [distributor.id, customer.id, `ARRAY['${customer.email}']`, `''`, `''`];
  const erased = values.reduce<string>((text, value, index) => text.replaceAll(`$${index + 1}`, String(value)), EMAILS);
  expect(await planOf(erased)).not.toContain('Seq Scan on emails');
});
