// Staff can add a customer without an e-mail address. Such a customer never gets mail, and can sign in once staff have added an address.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { deliverMails, mailedToken } from '../../../test/mail/mailed-links.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { withQueryBuilder, type TestDb } from '../../../test/database/test-db.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../../server/database/db.ts';
import { listAudit } from '../audit/contract.ts';
import { listContactsWithHasOrder, listEmails } from '../emails/contract.ts';
import { placeCustomerOrder, readOrderPageData } from '../orders/contract.ts';
import { readPrint } from '../print/contract.ts';
import { readCustomerReport, readReport } from '../reports/contract.ts';
import { changeUser, createUsers, listUsers, MAX_PEOPLE_PER_DAY, readUserContact } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
});

const create = async (users: object[], role: 'customer' | 'agent' = 'customer') =>
  await (
    await testApp.as(distributor)
  )(createUsers, { params: { role }, body: { users: users as { email: string }[], replyTo: distributor.email } });
const sara = { email: null, firstName: 'Sara', lastName: 'Adler', phone: '555-0100' };

test('the server creates a customer without an e-mail address by name, and returns no address wherever people are listed (contract §3)', async () => {
  const call = await testApp.as(distributor);
  const [made, twin] = await create([sara, { ...sara, email: '', phone: '555-0101' }]);
  expect([made?.success, made?.email, twin?.success]).toEqual([true, null, true]);
  const userId = made?.userId ?? 0;
  const listed = (await call(listUsers, { params: { role: 'customer' } })).find((item) => item.userId === userId);
  expect(listed).toMatchObject({ email: null, firstName: 'Sara', phone: '555-0100', hasSignedIn: false, isInvited: false });

  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  const products = [{ productId: product.id, quantity: 2 }];
  await call(placeCustomerOrder, { body: { customerId: userId, distributionId: distribution.id, products } });
  const place = { params: { id: distribution.id } };
  const rows = await call(readCustomerReport, place);
  expect(rows.map((row) => row.email)).toEqual([null, null]);
  const orderId = rows.find((row) => row.customer_id === userId)?.order_id ?? 0;
  expect((await call(readReport, place)).map((row) => row.email)).toEqual([null]);
  const page = await call(readOrderPageData, { params: { distributionId: distribution.id, customerId: userId } });
  expect(page.contact.email).toBeNull();
  const printed = await call(readPrint, { params: { id: orderId } });
  expect(printed.contact.email).toBeNull();
  // The list of recipients leaves out customers without an e-mail address, and a mail addressed to such a customer is not sent.
  expect(await call(listContactsWithHasOrder, place)).toEqual([]);
  expect(await deliverMails(testApp)).toEqual([]);
  expect(await call(listEmails)).toEqual([]);
});

const EXISTS = 'A customer without an e-mail address has this name and phone number already. A phone number tells two people apart.';

test('the server does not create the same customer without an e-mail address twice: not in one list, by a later call or by concurrent calls (contract §3)', async () => {
  const same = { ...sara, firstName: ' SARA', phone: '(555) 0100' };
  const elsewhere = { ...sara, address: '2 Oak St' };
  expect(await create([sara, same, elsewhere])).toMatchObject([
    { success: true },
    { success: false, firstName: ' SARA', error: 'This customer is in the list twice.' },
    { success: true },
  ]);
  expect(await create([same, { ...sara, phone: '555-0101' }])).toMatchObject([{ success: false, error: EXISTS }, { success: true }]);
  const dina = { firstName: 'Dina', lastName: 'Cohen' };
  const results = await Promise.all(Array.from({ length: 8 }, () => create([dina])));
  expect(results.flat().filter(({ success }) => success)).toHaveLength(1);
  const other = await makeDistributor(testApp.db);
  const users = [sara] as object[] as { email: string }[];
  const theirs = await (await testApp.as(other))(createUsers, { params: { role: 'customer' }, body: { users, replyTo: other.email } });
  expect(theirs).toMatchObject([{ success: true }]);
});

test.each([
  [
    'letters of other alphabets',
    { firstName: 'ÖZGE', lastName: 'כהן', phone: '05-55' },
    { firstName: 'özge', lastName: 'כהן', phone: '0555' },
  ],
  ['characters whose small letter is in ASCII', { firstName: '\u212Aira', lastName: 'Adler' }, { firstName: 'kira', lastName: 'ADLER' }],
  ['a small letter of two characters', { firstName: 'İda', lastName: '' }, { firstName: 'i\u0307DA' }],
  ['white space at the ends', { firstName: 'Ida\u00A0', lastName: '\tLevi\v' }, { firstName: '\u3000ida', lastName: 'levi' }],
  ['digits of another script, which do not count', { firstName: 'Ida', phone: '5\u0665 5' }, { firstName: 'Ida', phone: '55' }],
])(
  'an existing customer without an e-mail address is recognized by name and phone number, with %s (contract §3)',
  async (_, stored, sent) => {
    expect(await create([stored])).toMatchObject([{ success: true }]);
    expect(await create([sent])).toMatchObject([{ success: false, error: EXISTS }]);
    expect(await create([{ ...sent, phone: '1' }])).toMatchObject([{ success: true }]);
  },
);

test(
  'adding a customer without an e-mail address blocks the event loop for less than a tenth of a second, even if 50,000 existing names must be compared (reliability freeze)',
  { tags: ['long'] },
  async () => {
    await sql`WITH u AS (INSERT INTO users (email, role, "distributorId", "createdAt")
      SELECT gen_random_uuid() || '@no-email.invalid', 'customer', ${distributor.id}, now() - interval '2 days' FROM generate_series(1, 50000) RETURNING id)
    INSERT INTO contacts ("userId", "firstName", "lastName") SELECT id, rpad('Zoë ', 200, 'é'), rpad('Ö' || id, 200, 'ü') FROM u`.execute(
      testApp.db,
    );
    await sql`ANALYZE`.execute(testApp.db);
    const add = (lastName: string) => create([{ firstName: 'Zoë', lastName }]);
    expect(await add('Adler')).toMatchObject([{ success: true }]);
    const { longest, result } = await longestBlock(() => add('Cohen'));
    expect(result).toMatchObject([{ success: true }]);
    expect(longest).toBeLessThan(100);
  },
);

/** Adds customers without an e-mail address and phone number, whose names PostgreSQL cannot compare. */
const addNames = (names: number) =>
  sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT gen_random_uuid() || '@no-email.invalid', 'customer', ${distributor.id} FROM generate_series(1, ${names}::int) RETURNING id)
    INSERT INTO contacts ("userId", "firstName", "lastName") SELECT id, 'שרה' || id, 'כהן' FROM u`.execute(testApp.db);
const yael = { firstName: 'יעל', lastName: 'לוי' };

/** Adds Yael, and calls `meanwhile` after the names were read and before she is saved. Returns the number of SQL statements since then. */
async function addYael(meanwhile: (db: TestDb) => Promise<unknown>) {
  const locked = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [distributor.id]);
    const adding = create([yael]);
    await waitForLockWaiters(testApp.db);
    await meanwhile(withQueryBuilder(db));
    return { adding, before: testApp.db.poolStats().statements };
  });
  const [result] = await locked.adding;
  return { result, statements: testApp.db.poolStats().statements - locked.before };
}

test('existing names are read before the transaction that adds a customer without an e-mail address, and not again in it (reliability abuse)', async () => {
  const few = await addYael(async () => undefined);
  distributor = await makeDistributor(testApp.db);
  await addNames(3000);
  const many = await addYael(async () => undefined);
  expect([few.result?.success, many.result?.success]).toEqual([true, true]);
  expect(many.statements).toBe(few.statements);
});

test('a customer without an e-mail address who is added after the names were read is not created twice (contract §3)', async () => {
  await addNames(10);
  const { result } = await addYael(async (db) => {
    const { id } = await makeCustomer(db, distributor, yael);
    await sql`UPDATE users SET email = gen_random_uuid() || '@no-email.invalid' WHERE id = ${id}`.execute(db);
    await sql`UPDATE contacts SET phone = '' WHERE "userId" = ${id}`.execute(db);
  });
  expect(result).toMatchObject({ success: false, error: EXISTS });
});

test('a distributor that may add nobody today reads no names (reliability abuse)', { tags: ['long'] }, async () => {
  await addNames(MAX_PEOPLE_PER_DAY);
  const statementsOf = async (user: object) => {
    const before = testApp.db.poolStats().statements;
    await expect(create([user])).rejects.toMatchObject({ status: 429 });
    return testApp.db.poolStats().statements - before;
  };
  expect(await statementsOf(yael)).toBeLessThanOrEqual(await statementsOf({ ...yael, email: 'yael@test.example' }));
});

test.each([
  ['a customer without a name', 'customer', { email: '', firstName: ' ' }, 'A customer without an e-mail address needs a name.'],
  ['an agent without an e-mail', 'agent', { email: null, firstName: 'Sara' }, 'Invalid email address'],
  ['the address that stands for none', 'customer', { email: 'x@no-email.invalid', firstName: 'Sara' }, 'Invalid email address'],
] as const)('the server does not create %s, and reports the reason (contract §3)', async (_, role, user, error) => {
  expect(await create([user], role)).toMatchObject([{ success: false, error }]);
});

test('the server invites a customer when staff add an e-mail address, and then treats the customer like any other (contract §3)', async () => {
  const call = await testApp.as(distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const userId = (await create([sara]))[0]?.userId ?? 0;
  const params = { role: 'customer', userId } as const;
  const invite = await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${userId}/invite` });
  expect([invite.statusCode, invite.body]).toEqual([409, 'This person has no e-mail address yet.']);
  expect(await call(changeUser, { params, body: { email: 'sara@test.example' } })).toMatchObject({
    email: 'sara@test.example',
    isInvited: true,
  });
  expect((await deliverMails(testApp)).map(({ to }) => to)).toEqual(['sara@test.example']);
  const [{ detail, person } = {}] = await call(listAudit, { params: { id: distribution.id } });
  expect([detail, person?.email]).toEqual([{ act: 'mend', previousEmail: null }, 'sara@test.example']);
});

test('an e-mail address is not added or corrected if somebody else has saved another one since, so the mailed link stays valid (contract §3)', async () => {
  const call = await testApp.as(distributor);
  const userId = (await create([sara]))[0]?.userId ?? 0;
  const save = (email: string, before: string | null) =>
    call(changeUser, { params: { role: 'customer', userId }, body: { email, before: { email: before } } });
  await save('sara.adler@home.example', null);
  const token = await mailedToken(testApp, 'sara.adler@home.example');
  const text = 'The e-mail address was changed by somebody else meanwhile. Nothing is saved.';
  await expect(save('adler@home.example', null)).rejects.toMatchObject({ status: 409, text });
  await expect(save('adler@home.example', 'sara.adler@hme.example')).rejects.toMatchObject({ status: 409, text });
  expect(await save('sara.adler@home.example', null)).toMatchObject({ email: 'sara.adler@home.example', firstName: 'Sara' });
  const payload = { token, password: 'Four-Sheep-42' };
  const reset = await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload });
  expect(reset.statusCode).toBe(200);
});

test("staff can correct a customer's contact, even when the customer can sign in; fields that the request omits stay (contract §3)", async () => {
  const call = await testApp.as(distributor);
  const customer = await makeCustomer(testApp.db, distributor, { firstName: 'Rivka', lastName: 'Abramov', phone: '555-0100' });
  await testApp.db.updateTable('users').set({ lastLoginAt: '2027-03-01T12:00:00Z' }).where('id', '=', customer.id).execute();
  const params = { role: 'customer', userId: customer.id } as const;
  const before = await call(readUserContact, { params });
  await call(changeUser, { params, body: { phone: ' 555-0199 ', city: 'Teaneck' } });
  expect(await call(readUserContact, { params })).toEqual({ ...before, phone: '555-0199', city: 'Teaneck' });
  await expect(call(changeUser, { params, body: {} })).rejects.toMatchObject({ status: 400, text: 'Nothing to change was sent.' });
  await expect(call(changeUser, { params, body: { phone: '5'.repeat(201) } })).rejects.toMatchObject({ status: 400 });

  const userId = (await create([sara]))[0]?.userId ?? 0;
  const nameless = call(changeUser, { params: { role: 'customer', userId }, body: { firstName: '', lastName: '' } });
  await expect(nameless).rejects.toMatchObject({ status: 400, text: 'A customer without an e-mail address needs a name.' });

  const foreign = await testApp.as(await makeDistributor(testApp.db));
  await expect(foreign(readUserContact, { params })).rejects.toMatchObject({ status: 404 });
  await expect(foreign(changeUser, { params, body: { phone: '1' } })).rejects.toMatchObject({ status: 404 });
  const agent = await testApp.as(await makeAgent(testApp.db, distributor));
  await expect(agent(changeUser, { params, body: { phone: '1' } })).rejects.toMatchObject({ status: 403 });
});
