// Tests the reminders that are sent before ordering closes (contract §11).
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { mailFolder } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_MAILS_PER_DAY, MAX_REMINDERS_PER_MAILBOX } from '../emails/contract.ts';
import { placeOrder } from '../orders/contract.ts';
import { queueReminders } from './queries.ts';
import { MANY_REMINDERS } from './texts.ts';

const testApp = setupTestApp({ PUBLIC_URL: 'http://feast.example' });
const folder = mailFolder(testApp);
let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  await testApp.db.updateTable('distributions').set({ orderingOpen: false }).execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  await testApp.db
    .insertInto('organizations')
    .values({ distributorId: distributor.id, name: 'Beth Shalom', timeZone: 'America/New_York' })
    .execute();
  distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover 2027', date: '2027-04-15' });
});

/** Changes the distribution so that ordering closes in `hours` hours. The reminder is due `remindHours` hours before ordering closes. */
const closeIn = (hours: number, remindHours: number | null, values = '') =>
  run(testApp.db, `UPDATE distributions SET "closesAt" = now() + make_interval(hours => $2), "remindHours" = $3 ${values} WHERE id = $1`, [
    distribution.id,
    hours,
    remindHours,
  ]);
const queue = () => queueReminders(testApp.db, testApp.time);
const reminded = async () =>
  (await testApp.db.selectFrom('emails').select('userId').where('kind', '=', 'reminder').orderBy('id').execute()).map(
    ({ userId }) => userId,
  );

test('the due distributions of one distributor do not delay the reminders of another distributor (reliability abuse)', async () => {
  await closeIn(5, 24);
  for (let count = 0; count < 2; count++) {
    distribution = await makeDistribution(testApp.db, distributor);
    await closeIn(5, 24);
  }
  const other = await makeDistributor(testApp.db);
  const otherCustomer = await makeCustomer(testApp.db, other);
  distribution = await makeDistribution(testApp.db, other);
  await closeIn(5, 24);
  await queue();
  expect(await reminded()).toEqual([customer.id, otherCustomer.id, customer.id, customer.id]);
});

test('the server reminds a customer without an order with the deadline and a link to the order page (contract §11)', async () => {
  await run(testApp.db, `UPDATE distributions SET "closesAt" = '2029-04-02T00:00:00Z', "remindHours" = 168 WHERE id = $1`, [
    distribution.id,
  ]);
  await queue();
  expect(await reminded()).toEqual([]);
  await run(testApp.db, `UPDATE distributions SET "remindHours" = NULL WHERE id = $1`, [distribution.id]);
  await run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "distributionId", "userId", "createdAt", "nextAttemptAt")
    VALUES ('reminder', '', '', '', '', $1, $2, $3, now(), now())`,
    [distributor.id, distribution.id, customer.id],
  );
  const [mail] = await folder.send();
  expect(mail).toMatchObject({
    subject: 'Passover 2027: Order until Sun, Apr 1, 8:00 PM',
    from: { name: 'Beth Shalom' },
    to: [{ address: customer.email }],
  });
  for (const part of [mail?.html, mail?.text]) {
    expect(part).toContain('Order until Sun, Apr 1, 8:00 PM');
    expect(part).toContain(`http://feast.example/customer/order/${distribution.id}`);
    expect(part).toContain('/api/unsubscribe/');
  }
});

test.each([
  [25, 24, '', 0],
  [23, 24, '', 1],
  [1, 24, '', 1],
  [23, null, '', 0],
  [-1, 24, '', 0],
  [23, 24, ', "orderingOpen" = false', 0],
  [23, 24, ', published = false', 0],
  [23, 24, `, "opensAt" = now() + interval '1 hour'`, 0],
])(
  '%s hours before closing, in a distribution with remindHours %s and the further column values "%s", the server queues %s reminders (contract §11)',
  async (hours, remindHours, values, mails) => {
    await closeIn(hours, remindHours, values);
    await queue();
    expect(await reminded()).toHaveLength(mails);
  },
);

test('the server sends no reminder to customers who have ordered, are disabled, removed or unsubscribed, or have no e-mail address (contract §11)', async () => {
  const product = await makeProduct(testApp.db, distribution);
  const [ordered, cleared, disabled, removed, unsubscribed, noEmail] = await Promise.all(
    Array.from({ length: 6 }, () => makeCustomer(testApp.db, distributor)),
  );
  const now = new Date().toISOString();
  const set = (person: Person | undefined, values: object) =>
    testApp.db
      .updateTable('users')
      .set(values)
      .where('id', '=', person?.id ?? 0)
      .execute();
  for (const person of [ordered, cleared]) {
    const call = await testApp.as(person ?? null);
    await call(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] } });
  }
  await run(testApp.db, 'UPDATE order_products SET quantity = 0 WHERE "orderId" = (SELECT id FROM orders WHERE "customerId" = $1)', [
    cleared?.id,
  ]);
  await set(disabled, { disabledAt: now });
  await set(removed, { removedAt: now, disabledAt: now });
  await set(unsubscribed, { bulkMailStoppedAt: now });
  await set(noEmail, { email: `x${noEmail?.id}@no-email.invalid` });
  await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await closeIn(5, 24);
  await queue();
  expect(await reminded()).toEqual([customer.id, cleared?.id]);
});

test('the server queues one mail for each customer, however many processes run and however often the closing time is moved (contract §11)', async () => {
  await closeIn(5, 24);
  await Promise.all([queue(), queue(), queue()]);
  await queue();
  expect(await reminded()).toEqual([customer.id]);
  const late = await makeCustomer(testApp.db, distributor);
  await queue();
  expect(await reminded()).toEqual([customer.id]);
  await closeIn(72, 24);
  await queue();
  expect(await reminded()).toEqual([customer.id]);
  await run(testApp.db, `UPDATE distributions SET "remindedAt" = now() - interval '3 days' WHERE id = $1`, [distribution.id]);
  await closeIn(20, 24);
  await queue();
  expect(await reminded()).toEqual([customer.id, late.id]);
});

test('suppressed reminders count toward the daily limit too, so that removing customers makes no room for further reminders (reliability abuse)', async () => {
  await run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", status, "createdAt")
    SELECT 'reminder', '', '', '', '', $1, 'x', 'suppressed', $3 FROM generate_series(1, $2::int)`,
    [distributor.id, MAX_MAILS_PER_DAY - 1, testApp.time],
  );
  await makeCustomer(testApp.db, distributor);
  await closeIn(5, 24);
  await queue();
  expect(await reminded()).toEqual([...Array<null>(MAX_MAILS_PER_DAY - 1).fill(null), customer.id]);
});

test("reminders count toward the distributor's daily mail limit; reminders above the limit are queued later, when the limit allows it (contract §11)", async () => {
  const second = await makeCustomer(testApp.db, distributor);
  await run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", status, "createdAt")
    SELECT 'bulk', '', '', '', '', $1, 'x', 'sent', $3 FROM generate_series(1, $2::int)`,
    [distributor.id, MAX_MAILS_PER_DAY - 1, testApp.time],
  );
  await closeIn(5, 24);
  await queue();
  await queue();
  expect(await reminded()).toEqual([customer.id]);
  await queueReminders(testApp.db, new Date(testApp.time.getTime() + 25 * 3_600_000));
  expect(await reminded()).toEqual([customer.id, second.id]);
});

test('the mails of a distributor at its daily limit are counted once, however many distributions have reminders that are due (reliability abuse)', async () => {
  await run(
    testApp.db,
    `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "replyTo", status, "createdAt")
    SELECT 'bulk', '', '', '', '', $1, 'x', 'sent', $3 FROM generate_series(1, $2::int)`,
    [distributor.id, MAX_MAILS_PER_DAY, testApp.time],
  );
  await closeIn(5, 24);
  for (let more = 0; more < 4; more++) {
    distribution = await makeDistribution(testApp.db, distributor);
    await closeIn(5, 24);
  }
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  await queue();
  const counts = statements.mock.calls.filter(([sql]) => JSON.stringify(sql).includes('count(*)'));
  statements.mockRestore();
  expect(counts).toHaveLength(1);
  expect(await reminded()).toEqual([]);
});

test.each([
  ['ordering was closed', 'UPDATE distributions SET "orderingOpen" = false WHERE id = $1', 'Ordering was not open any more.'],
  [
    'the clock closed ordering',
    `UPDATE distributions SET "closesAt" = now() - interval '1 second' WHERE id = $1`,
    'Ordering was not open any more.',
  ],
  [
    'the customer unsubscribed',
    'UPDATE users SET "bulkMailStoppedAt" = now() WHERE "distributorId" = (SELECT "distributorId" FROM distributions WHERE id = $1)',
    'unsubscribed',
  ],
])('the server does not send a queued reminder after %s (contract §11)', async (_, change, reason) => {
  await closeIn(5, 24);
  await queue();
  await run(testApp.db, change, [distribution.id]);
  expect(await folder.send()).toEqual([]);
  const [mail] = await testApp.db.selectFrom('emails').select(['status', 'response']).where('kind', '=', 'reminder').execute();
  expect(mail).toMatchObject({ status: 'suppressed', response: expect.stringContaining(reason) });
});

test('the server does not send a queued reminder to a customer who has ordered before the reminder is sent (contract §11)', async () => {
  const product = await makeProduct(testApp.db, distribution);
  await closeIn(5, 24);
  await queue();
  const call = await testApp.as(customer);
  await call(placeOrder, { body: { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] } });
  expect((await folder.send()).map(({ subject }) => subject)).toEqual(['Your order for Passover 2027']);
});

test('one mailbox gets at most 10 reminders of a distributor in a day, however many distributions close; further ones fail, others still get theirs, and a later day has a new limit (reliability abuse)', async () => {
  const stranger = (suffix: number) =>
    makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: `dina+${suffix}@test.example` });
  await stranger(1);
  await stranger(2);
  /** Sends the reminders of further distributions. Returns the numbers of reminders that the stranger and the customer get. */
  const remind = async (distributions: number) => {
    for (let more = 0; more < distributions; more++) {
      distribution = await makeDistribution(testApp.db, distributor);
      await closeIn(5, 24);
    }
    await queue();
    const recipients = (await folder.send()).map(({ to }) => to?.[0]?.address);
    const toCustomer = recipients.filter((to) => to === customer.email).length;
    return [recipients.length - toCustomer, toCustomer];
  };
  expect(await remind(6)).toEqual([MAX_REMINDERS_PER_MAILBOX, 6]);
  expect(await remind(2)).toEqual([0, 2]);
  const failed = testApp.db.selectFrom('emails').select('response').where('status', '=', 'failed');
  expect(await failed.execute()).toEqual(Array.from({ length: 6 }, () => ({ response: MANY_REMINDERS })));
  folder.outbox.time = new Date(folder.outbox.time.getTime() + 25 * 3_600_000);
  expect(await remind(1)).toEqual([2, 1]);
});
