import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../test/data/order-rows.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_PEOPLE_PER_DAY, type CreatedUser } from '../users/contract.ts';
import { MAX_KEPT_LISTED, type KeptCustomer, type UndoneCustomers } from './contract.ts';
import { MAX_UPLOADS } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let made = 0;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
});

const newEmail = (): string => `uploaded${(made += 1)}@upload.test.example`;
const post = (url: string, payload?: object, by = distributor, headers = {}) =>
  testApp.request(by, { method: 'POST', url, headers, ...(payload && { payload }) });
const begin = async (by = distributor): Promise<number> => (await post('/api/customer-uploads', undefined, by)).json<{ id: number }>().id;
const send = (users: readonly object[], more: object = {}, by = distributor) =>
  post('/api/users/customer', { users, replyTo: by.email, ...more }, by);
const undo = async (id: number, by = distributor, headers = {}) => {
  const reply = await post(`/api/customer-uploads/${id}/undo`, undefined, by, headers);
  return [reply.statusCode, reply.statusCode === 200 ? reply.json<UndoneCustomers>() : reply.body];
};
const last = async (by = distributor) => (await testApp.request(by, { method: 'GET', url: '/api/customer-uploads' })).json();
const customers = async () =>
  (await testApp.request(distributor, { method: 'GET', url: '/api/users/customer' })).json<{ userId: number; email: string | null }[]>();
const idsOf = (rows: readonly { userId?: number }[]) => rows.map(({ userId = 0 }) => userId).toSorted((a, b) => a - b);
const removed = (count: number, kept: readonly unknown[] = []) => [200, { removed: count, stayed: kept.length, kept }];
const TOO_LATE = [409, 'This upload can no longer be undone.'];

/** Uploads customers in one call, and returns the id of the upload and the created customers. */
async function upload(users: readonly object[], more: object = {}): Promise<{ id: number; created: Person[] }> {
  const id = await begin();
  const reply = await send(users, { uploadId: id, ...more });
  expect(reply.statusCode).toBe(201);
  const created = reply
    .json<CreatedUser[]>()
    .map(({ userId = 0, email }) => ({ id: userId, email: email ?? '', role: 'customer' as const }));
  return { id, created };
}

describe('an upload of customers', () => {
  test('can be undone: the customers it created are removed with name, address and contact', async () => {
    const other = await makeCustomer(testApp.db, distributor);
    const id = await begin();
    const payload = { uploadId: id, invite: 'later' };
    await send([{ email: newEmail(), firstName: 'Zelda', lastName: 'Undone' }], payload);
    await send([{ email: newEmail() }, { firstName: 'Nameonly', lastName: 'Undone' }], payload);
    expect(await last()).toMatchObject({ id, added: 3 });
    const created = (await customers()).filter(({ userId }) => userId !== other.id);
    expect(created).toHaveLength(3);

    expect(await undo(id)).toEqual(removed(3));
    expect(idsOf(await customers())).toEqual([other.id]);
    expect(await last()).toBeNull();
    const stored = JSON.stringify([
      await testApp.db.selectFrom('users').selectAll().where('id', 'in', idsOf(created)).execute(),
      await testApp.db.selectFrom('contacts').selectAll().where('userId', 'in', idsOf(created)).execute(),
    ]);
    for (const text of ['Zelda', 'Nameonly', 'upload.test.example']) expect(stored).not.toContain(text);
  });

  test('that was undone is recorded once in the audit trail, and can neither be undone nor continued again', async () => {
    const distribution = await makeDistribution(testApp.db, distributor);
    const { id } = await upload([{ email: newEmail() }, { email: newEmail() }], { invite: 'later' });
    expect(await undo(id)).toEqual(removed(2));
    expect(await undo(id)).toEqual(TOO_LATE);
    const more = await send([{ email: newEmail() }], { uploadId: id });
    expect([more.statusCode, more.body]).toEqual(TOO_LATE);
    expect(await customers()).toEqual([]);
    const trail = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/audit` });
    expect(trail.json()).toMatchObject([{ kind: 'person', by: distributor.email, detail: { act: 'undo-upload', removed: 2 } }]);
    expect(trail.json()).toHaveLength(1);
  });

  test('can be undone even if later uploads created nobody; of the uploads that created customers, the last ten can be undone', async () => {
    const uploads = [];
    for (let one = 0; one <= MAX_UPLOADS; one++) uploads.push(await upload([{ email: newEmail() }]));
    for (let one = 0; one <= MAX_UPLOADS; one++) await begin();
    const unfinished = await begin();
    await send([{ email: uploads[0]?.created[0]?.email ?? '' }], { uploadId: unfinished });
    const replies = [];
    for (const { id } of uploads.toReversed()) replies.push(await undo(id));
    expect(replies).toEqual([...Array.from({ length: MAX_UPLOADS }, () => removed(1)), [404, 'Upload not found']]);
  });

  test(
    'that was undone still counts toward the people that can be added in a day, because the rows of removed people stay (reliability abuse)',
    { tags: ['long'] },
    async () => {
      await sql`INSERT INTO users (email, role, "distributorId") SELECT ${distributor.id} || '-' || n || '@mail.test', 'customer', ${distributor.id}
      FROM generate_series(1, ${MAX_PEOPLE_PER_DAY - 1}::int) n`.execute(testApp.db);
      const { id } = await upload([{ email: newEmail() }], { invite: 'later' });
      expect(await undo(id)).toEqual(removed(1));
      const refused = await send([{ email: newEmail() }], { invite: 'later' });
      const message = 'At most 20,000 people can be added in a day, including people who were removed since. Nobody was added.';
      expect([refused.statusCode, refused.body]).toEqual([429, message]);
    },
  );

  test('is undone with a limited wait for locks, because other requests wait for the customers that the undo has already locked', async () => {
    const { id } = await upload([{ email: newEmail() }]);
    await sql`ALTER TABLE user_audit ADD CONSTRAINT limited_wait CHECK (act <> 'undo-upload' OR current_setting('lock_timeout') = '1s') NOT VALID`.execute(
      testApp.db,
    );
    try {
      expect(await undo(id)).toEqual(removed(1));
    } finally {
      await sql`ALTER TABLE user_audit DROP CONSTRAINT limited_wait`.execute(testApp.db);
    }
  });

  test('that is undone twice with the same Idempotency-Key gets the same reply', async () => {
    const { id } = await upload([{ email: newEmail() }]);
    const key = { 'idempotency-key': 'undo-once-1' };
    expect([await undo(id, distributor, key), await undo(id, distributor, key)]).toEqual([removed(1), removed(1)]);
  });

  test('withdraws queued invitations when it is undone; the link of a sent invitation stops working', async () => {
    const [sent, queued] = [newEmail(), newEmail()];
    const { id, created } = await upload([{ email: sent }]);
    const token = await mailedToken(testApp, sent);
    const second = await send([{ email: queued }], { uploadId: id });
    expect(await undo(id)).toEqual(removed(2));
    const ids = [created[0]?.id ?? 0, second.json<CreatedUser[]>()[0]?.userId ?? 0];
    const mails = await testApp.db.selectFrom('emails').select(['userId', 'status']).where('userId', 'in', ids).orderBy('id').execute();
    expect(mails).toEqual([
      { userId: ids[0], status: 'sent' },
      { userId: ids[1], status: 'suppressed' },
    ]);
    const set = await testApp.app.inject({
      method: 'POST',
      url: '/api/reset-password/reset',
      payload: { token, password: 'Three-Sheep-42' },
    });
    expect(set.statusCode).toBe(400);
    // The e-mail addresses of the removed customers can be used again.
    expect((await send([{ email: sent }, { email: queued }])).json()).toMatchObject([{ success: true }, { success: true }]);
  });

  test('changes no customer whom it did not create; undoing the upload does not change these customers either', async () => {
    const known = await makeCustomer(testApp.db, distributor);
    const contact = () => testApp.db.selectFrom('contacts').selectAll().where('userId', '=', known.id).execute();
    const before = await contact();
    const id = await begin();
    const reply = await send([{ email: known.email, firstName: 'Another', phone: '555-0999' }, { email: newEmail() }], { uploadId: id });
    expect(reply.json()).toMatchObject([{ success: false }, { success: true }]);
    expect([await contact(), (await last()).added]).toEqual([before, 1]);
    expect(await undo(id)).toEqual(removed(1));
    expect([await contact(), idsOf(await customers())]).toEqual([before, [known.id]]);
  });
});

const set = (id: number, values: object) => testApp.db.updateTable('users').set(values).where('id', '=', id).execute();
async function order(customer: Person) {
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution);
  return { distribution, order: await makeOrder(testApp.db, distribution, customer, [[product, 1]]) };
}
const act = (method: 'POST' | 'PATCH', { id }: Person, url = '', payload?: object) =>
  testApp.request(distributor, { method, url: `/api/users/customer/${id}${url}`, ...(payload && { payload }) });

/**
 * Each row names an event after which undoing an upload keeps the customer. A row has the reason that is reported, the end of the test
 * title, and a function that causes the event.
 */
const EVENTS: readonly (readonly [KeptCustomer['reason'], string, (customer: Person) => Promise<unknown>])[] = [
  ['ordered', 'has an order', order],
  [
    'paid',
    'has a payment',
    async (customer) => {
      const { distribution, order: placed } = await order(customer);
      await pay(testApp.db, distribution, { orderId: placed.id, amount: 100, by: distributor });
    },
  ],
  [
    'signed-in',
    'accepted the invitation, which signs in',
    async ({ email }) => {
      const token = await mailedToken(testApp, email);
      const payload = { token, password: 'Three-Sheep-42' };
      expect((await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload })).statusCode).toBe(200);
    },
  ],
  ['accepted', 'has a password', ({ id }) => set(id, { password: 'hash' })],
  ['unsubscribed', 'has stopped e-mails to everybody', ({ id }) => set(id, { bulkMailStoppedAt: '2027-04-01T12:00:00Z' })],
  ['changed', 'got another contact from staff', (customer) => act('PATCH', customer, '', { phone: '555-0999' })],
  ['changed', 'got another e-mail address from staff', (customer) => act('PATCH', customer, '', { email: newEmail() })],
  ['changed', 'was disabled by staff', (customer) => act('POST', customer, '/disable')],
];

describe('a customer of an undone upload', () => {
  test.each(EVENTS)('stays with the reason %j if the customer %s; the others are removed', async (reason, _, happen) => {
    const { id, created } = await upload([{ email: newEmail(), firstName: 'Rivka', lastName: 'Stays' }, { email: newEmail() }]);
    const [customer] = created;
    if (!customer) throw new Error('no customer was created');
    await happen(customer);
    const before = (await customers()).filter(({ userId }) => userId === customer.id);
    const kept = [{ userId: customer.id, email: before[0]?.email, firstName: 'Rivka', lastName: 'Stays', reason }];
    expect(await undo(id)).toEqual(removed(1, kept));
    expect(await customers()).toEqual(before);
  });

  test('is removed even if staff sent the invitation again', async () => {
    const { id, created } = await upload([{ email: newEmail() }], { invite: 'later' });
    expect((await act('POST', created[0] as Person, '/invite')).statusCode).toBe(204);
    expect(await undo(id)).toEqual(removed(1));
  });

  test('who was removed before the undo does not count as removed by the undo', async () => {
    const { id, created } = await upload([{ email: newEmail() }, { email: newEmail() }]);
    await post('/api/unused-customers/remove', { userIds: [created[0]?.id] });
    expect(await undo(id)).toEqual(removed(1));
  });

  test('is counted but not listed after the first 1,000 of those who stay, because so long a list would block the event loop (reliability abuse)', async () => {
    const { id, created } = await upload([{ email: newEmail() }], { invite: 'later' });
    await sql`WITH u AS (INSERT INTO users (email, role, "distributorId", "lastLoginAt")
        SELECT 'stays' || ${distributor.id}::int || '-' || n || '@mail.test', 'customer', ${distributor.id}, now()
        FROM generate_series(1, ${MAX_KEPT_LISTED}::int + 1) n RETURNING id)
      UPDATE customer_uploads SET "userIds" = "userIds" || (SELECT array_agg(id) FROM u) WHERE id = ${id}`.execute(testApp.db);
    const stayed = idsOf(await customers()).filter((userId) => userId !== created[0]?.id);
    const [status, undone] = await undo(id);
    const { kept, ...counts } = undone as UndoneCustomers;
    expect([status, counts]).toEqual([200, { removed: 1, stayed: MAX_KEPT_LISTED + 1 }]);
    expect(kept.map(({ userId }) => userId)).toEqual(stayed.slice(0, MAX_KEPT_LISTED));
    expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['signed-in']));
  });

  test('either stays or gets no order when staff save an order during the undo', async () => {
    const { id, created } = await upload([{ email: newEmail() }]);
    const distribution = await makeDistribution(testApp.db, distributor);
    const product = await makeProduct(testApp.db, distribution);
    const payload = { customerId: created[0]?.id, distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] };
    const [[status, undone], ordered] = await Promise.all([undo(id), post('/api/distributor/order', payload)]);
    expect(status).toBe(200);
    expect(undone).toMatchObject(ordered.statusCode < 300 ? { removed: 0, kept: [{ reason: 'ordered' }] } : { removed: 1, kept: [] });
  });
});

describe('an upload of customers is not undone, and nothing changes', () => {
  test('when more than 24 hours have passed', async () => {
    const { id } = await upload([{ email: newEmail() }]);
    await sql`UPDATE customer_uploads SET "startedAt" = now() - interval '25 hours' WHERE id = ${id}`.execute(testApp.db);
    expect([await last(), await undo(id)]).toEqual([null, TOO_LATE]);
    expect(await customers()).toHaveLength(1);
  });

  test('when the undo fails at its last step', async () => {
    const { id } = await upload([{ email: newEmail(), lastName: 'Whole' }, { email: newEmail() }]);
    const stored = async () => [
      await testApp.db.selectFrom('users').selectAll().where('distributorId', '=', distributor.id).orderBy('id').execute(),
      await testApp.db
        .selectFrom('emails')
        .select(['userId', 'status'])
        .where('distributorId', '=', distributor.id)
        .orderBy('id')
        .execute(),
      await last(),
    ];
    const before = await stored();
    await sql`ALTER TABLE user_audit ADD CONSTRAINT no_undo CHECK (act <> 'undo-upload') NOT VALID`.execute(testApp.db);
    try {
      expect((await undo(id))[0]).toBe(500);
    } finally {
      await sql`ALTER TABLE user_audit DROP CONSTRAINT no_undo`.execute(testApp.db);
    }
    expect(await stored()).toEqual(before);
    expect(await undo(id)).toEqual(removed(2));
  });

  test('a second time when two requests undo it at once', async () => {
    const { id } = await upload([{ email: newEmail() }]);
    const replies = await Promise.all([undo(id), undo(id)]);
    expect(replies.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([removed(1), TOO_LATE]);
  });

  test('when another distributor, an agent or a customer requests the undo; another distributor cannot add customers to the upload either', async () => {
    const { id, created } = await upload([{ email: newEmail() }]);
    const [foreign, agent] = [await makeDistributor(testApp.db), await makeAgent(testApp.db, distributor)];
    expect(await undo(id, foreign)).toEqual([404, 'Upload not found']);
    expect([(await undo(id, agent))[0], (await undo(id, created[0]))[0]]).toEqual([403, 403]);
    expect(await last(foreign)).toBeNull();
    const added = await send([{ email: newEmail() }], { uploadId: id }, foreign);
    expect([added.statusCode, added.body]).toEqual([404, 'Upload not found']);
    const agents = await post('/api/users/agent', { users: [{ email: newEmail() }], replyTo: distributor.email, uploadId: id });
    expect([agents.statusCode, agents.body]).toEqual([400, 'An upload creates customers only.']);
    expect(idsOf(await customers())).toEqual([created[0]?.id]);
    expect(await last()).toMatchObject({ added: 1 });
  });
});
