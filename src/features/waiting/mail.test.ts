import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { mailFolder } from '../../../test/mail/outbox.ts';
import { MAX_HOLD_MAILS_PER_MAILBOX } from '../emails/contract.ts';
import { holdMail } from './mail.ts';

const testApp = setupTestApp();
const folder = mailFolder(testApp);

test('the mail lists the units that are on hold when the mail is sent, with what distinguishes products of the same name, the deadline of each hold, a link to the order page, and when ordering opens if it has not opened yet; without units on hold, no mail is sent (contract §12)', async () => {
  const distributor = await makeDistributor(testApp.db);
  await testApp.db.insertInto('organizations').values({ distributorId: distributor.id, timeZone: 'America/New_York' }).execute();
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover 2099' });
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', description: 'Kosher, second cut', total_limit: 5 });
  await makeProduct(testApp.db, distribution, { name: 'Brisket', description: 'Kosher, first cut' });
  const place = { distributorId: distributor.id, distributionId: distribution.id, productId: brisket.id, customerId: customer.id };
  const entry = { ...place, quantity: 3, heldQuantity: 2, heldUntil: '2099-04-02T00:00:00Z' };
  await testApp.db.insertInto('waiting_list').values(entry).execute();
  const mail = { kind: 'hold', userId: customer.id, distributorId: distributor.id } as never;
  const render = () => holdMail({ db: testApp.db, env: testApp.env, now: testApp.time, mail });
  const rendered = await render();
  expect(rendered).toMatchObject({ to: customer.email, subject: 'What you are waiting for is held for you' });
  expect('text' in rendered && rendered.text).toMatch(
    /Rivka, this is held for you[^]*Passover 2099[^]*Brisket, second cut: 2 units\n.*until Wed, Apr 1, 8:00 PM/,
  );
  const orderPage = `${testApp.env.publicUrl}/customer/order/${distribution.id}`;
  expect('text' in rendered && rendered.text).toContain(`Order now:\n${orderPage}`);
  const change = (changes: object) => testApp.db.updateTable('distributions').set(changes).where('id', '=', distribution.id).execute();
  await change({ opensAt: '2099-04-01T12:00:00Z' });
  const early = await render();
  expect('text' in early && early.text).toMatch(/Ordering opens Wed, Apr 1, 8:00 AM\.[^]*Open the order page:\n/);
  expect('text' in early && early.text).not.toContain('Order now');
  await change({ orderingOpen: false });
  expect(await render()).toEqual({ suppressed: 'Nothing is held for this person any more.' });
});

test(
  'the mail about held units lists at most 100 holds, so that a customer with holds in hundreds of distributions does not block others (reliability freeze)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const customer = await makeCustomer(testApp.db, distributor);
    await sql`WITH d AS (INSERT INTO distributions ("distributorId", name, date, published)
      SELECT ${distributor.id}, 'Year ' || n, '2099-01-01'::date + n, true FROM generate_series(1, 100) n RETURNING id),
    p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
      SELECT ${distributor.id}, d.id, 'Product ' || n, 100, 1 FROM d, generate_series(1, 100) n RETURNING id, "distributionId")
    INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity, "heldQuantity", "heldUntil")
      SELECT ${distributor.id}, p."distributionId", p.id, ${customer.id}, 1, 1, '2099-04-02T00:00:00Z' FROM p`.execute(testApp.db);
    const mail = { kind: 'hold', userId: customer.id, distributorId: distributor.id } as never;
    const render = () => holdMail({ db: testApp.db, env: testApp.env, now: testApp.time, mail });
    await render();
    const { longest, result } = await longestBlock(render);
    expect('text' in result && result.text.match(/Product/g)).toHaveLength(100);
    expect('text' in result && result.text).toContain('More is held for you. The order pages show all of it.');
    expect(longest).toBeLessThan(60);
  },
);

test('one mailbox gets at most 100 mails about held units of a distributor in a day, however often the closing time is moved; others still get theirs, and a later one is sent when the limit allows it (reliability abuse)', async () => {
  const MINUTE = 60_000;
  const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE);
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const { id: productId } = await makeProduct(testApp.db, distribution, { total_limit: 9 });
  const stranger = (suffix: number) =>
    makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: `hannah+${suffix}@test.example` });
  const [one, two, other] = [await stranger(1), await stranger(2), await makeCustomer(testApp.db, distributor)];
  const entry = { distributorId: distributor.id, distributionId: distribution.id, productId, quantity: 1, heldQuantity: 1 };
  const entries = [one, two, other].map(({ id }) => ({ ...entry, customerId: id, heldUntil: '2099-04-02T00:00:00Z' }));
  await testApp.db.insertInto('waiting_list').values(entries).execute();
  /** Lets ordering close earlier. Returns the recipients of the mails that are sent until the given time. */
  const closeEarlier = async (closesAt: Date, until: Date) => {
    const change = { method: 'PATCH', url: `/api/distributions/${distribution.id}`, payload: { closesAt } } as const;
    expect((await testApp.request(distributor, change)).statusCode).toBe(200);
    return await send(until);
  };
  const send = async (until: Date) => {
    folder.outbox.time = until;
    return new Set((await folder.send()).map(({ to }) => to?.[0]?.address));
  };
  expect(await closeEarlier(fromNow(600), fromNow(1))).toEqual(new Set([one.email, two.email, other.email]));
  const sent = testApp.db.selectFrom('emails').selectAll().where('kind', '=', 'hold').where('userId', '=', one.id);
  const { id: _, ...row } = await sent.executeTakeFirstOrThrow();
  const rows = Array.from({ length: MAX_HOLD_MAILS_PER_MAILBOX - 2 }, () => row);
  await testApp.db.insertInto('emails').values(rows).execute();

  expect(await closeEarlier(fromNow(500), fromNow(30))).toEqual(new Set([other.email]));
  const queued = testApp.db
    .selectFrom('emails')
    .select(['userId', 'response', 'attempts'])
    .where('status', '=', 'queued')
    .orderBy('userId');
  const held = { response: 'This person has got many e-mails about held units within the day. The e-mail is sent later.', attempts: 0 };
  expect(await queued.execute()).toEqual([one, two].map(({ id }) => ({ userId: id, ...held })));
  expect(await send(fromNow(23 * 60))).toEqual(new Set());
  expect(await send(fromNow(25 * 60))).toEqual(new Set([one.email, two.email]));
});
