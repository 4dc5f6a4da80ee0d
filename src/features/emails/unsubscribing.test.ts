import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { deliverMails } from '../../../test/mail/mailed-links.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { CORRECTED } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  testApp.time = new Date();
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const mailTo = (to: string) => ({ to, replyTo: distributor.email, subject: 'Pick-up', html: '<p>At noon.</p>' });
const post = (payload: object[]) => testApp.request(distributor, { method: 'POST', url: '/api/send-emails', payload });
const rows = () => testApp.db.selectFrom('emails').selectAll().orderBy('id').execute();

describe('unsubscribing', () => {
  const urlOf = async (person: Person): Promise<string> => {
    const { unsubscribeToken } = await testApp.db
      .selectFrom('users')
      .select('unsubscribeToken')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    return `/api/unsubscribe/${unsubscribeToken}`;
  };
  const stoppedAt = async () =>
    (await testApp.db.selectFrom('users').select('bulkMailStoppedAt').where('id', '=', customer.id).executeTakeFirstOrThrow())
      .bulkMailStoppedAt;

  test('GET shows a page that asks for confirmation and changes nothing, even when mail scanners request it (contract §8)', async () => {
    for (let time = 0; time < 3; time++) {
      const answer = await testApp.request(null, { method: 'GET', url: await urlOf(customer) });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.body).toContain(customer.email);
      expect(answer.body).toContain('<form method="post"');
      expect(answer.headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
    }
    expect(await stoppedAt()).toBeNull();
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'POST unsubscribes at once without a session, with the content type %s (contract §8)',
    async (type) => {
      const payload = 'List-Unsubscribe=One-Click';
      const headers = type ? { 'content-type': type } : {};
      const answer = await testApp.request(null, { method: 'POST', url: await urlOf(customer), headers, ...(type ? { payload } : {}) });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await stoppedAt()).toBe(testApp.time.toISOString());
    },
  );

  test('accepts the request of a webmail service on another site', async () => {
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'List-Unsubscribe=One-Click';
    expect((await testApp.request(null, { method: 'POST', url: await urlOf(customer), headers, payload })).statusCode).toBe(200);
    expect(
      (await testApp.request(null, { method: 'POST', url: '/api/logout', headers: { origin: 'https://mail.example' } })).statusCode,
    ).toBe(403);
  });

  test('shows an explanation for an unknown token', async () => {
    for (const token of ['x', '0b8d3c52-6d5e-4a53-9b0c-0123456789ab', "'; --", 'a'.repeat(400)])
      for (const method of ['GET', 'POST'] as const) {
        const answer = await testApp.request(null, { method, url: `/api/unsubscribe/${encodeURIComponent(token)}` });
        expect([answer.statusCode, answer.body.includes('This link does not work')]).toEqual([404, true]);
      }
  });

  test('is the only call that accepts an HTML form: the sign-in call refuses one with 415', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await testApp.request(null, { method: 'POST', url: '/api/login', headers, payload: 'email=a' })).statusCode).toBe(415);
  });
});

test('a person who has unsubscribed still gets no bulk mail after the distributor removes the person and adds the same mailbox again (reliability abuse)', async () => {
  const request = (method: 'POST', url: string, payload: object) => testApp.request(distributor, { method, url, payload });
  const add = async (email: string): Promise<number> => {
    const payload = { users: [{ email }], replyTo: distributor.email, invite: 'later' };
    return (await request('POST', '/api/users/customer', payload)).json()[0].userId;
  };
  const id = await add('tamar@test.example');
  const { unsubscribeToken } = await testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await testApp.app.inject({ method: 'POST', url: `/api/unsubscribe/${unsubscribeToken}` });
  expect((await request('POST', '/api/unused-customers/remove', { userIds: [id] })).statusCode).toBe(200);
  for (const email of ['tamar@test.example', 'tamar+2@test.example']) {
    await add(email);
    expect((await post([mailTo(email)])).json()).toEqual({
      message: '0 e-mails are on their way. 1 person has unsubscribed and gets none.',
    });
  }
  const other = await makeDistributor(testApp.db);
  await makeUser(testApp.db, 'customer', { distributorId: other.id, email: 'tamar+3@test.example' });
  const payload = [{ ...mailTo('tamar+3@test.example'), replyTo: other.email }];
  const ofOther = await testApp.request(other, { method: 'POST', url: '/api/send-emails', payload });
  expect(ofOther.json()).toEqual({ message: '1 e-mail is on its way.' });
});

test.each(['removed', 'forgotten', 'corrected and corrected back'])(
  'after the person is %s and the mailbox is added again, the link of an earlier mail still unsubscribes the mailbox (reliability abuse)',
  async (change) => {
    const email = `later-${change.split(' ')[0]}@test.example`;
    const request = (url: string, payload: object, method: 'POST' | 'PATCH' = 'POST') =>
      testApp.request(distributor, { method, url, payload });
    const add = async (): Promise<number> => {
      const payload = { users: [{ email }], replyTo: distributor.email, invite: 'later' };
      return (await request('/api/users/customer', payload)).json()[0].userId;
    };
    const id = await add();
    await post([mailTo(email)]);
    const link = /<(.*)>/.exec((await deliverMails(testApp))[0]?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
    if (change === 'removed') await request('/api/unused-customers/remove', { userIds: [id] });
    else if (change === 'forgotten') await request(`/api/users/customer/${id}/forget`, {});
    else for (const to of [`new-${email}`, email]) await request(`/api/users/customer/${id}`, { email: to }, 'PATCH');
    const page = await testApp.app.inject({ method: 'POST', url: new URL(link).pathname });
    expect(page.body).toContain('sends no more announcements to the e-mail address that this link was sent to.');
    if (!change.startsWith('corrected')) await add();
    expect((await post([mailTo(email)])).json()).toEqual({
      message: '0 e-mails are on their way. 1 person has unsubscribed and gets none.',
    });
  },
);

test("after a mistyped address is corrected, the stranger's unsubscription and link to unsubscribe do not apply to the new address (reliability abuse)", async () => {
  const { id } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: 'wrong@test.example' });
  const row = () => testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { unsubscribeToken } = await row();
  const unsubscribe = () => testApp.app.inject({ method: 'POST', url: `/api/unsubscribe/${unsubscribeToken}` });
  await unsubscribe();
  const correct = (email: string) =>
    testApp.request(distributor, { method: 'PATCH', url: `/api/users/customer/${id}`, payload: { email } });
  expect((await correct('right@test.example')).statusCode).toBe(200);
  await unsubscribe();
  expect((await post([mailTo('right@test.example')])).json()).toEqual({ message: '1 e-mail is on its way.' });
  expect((await row()).bulkMailStoppedAt).toBeNull();
  await correct('wrong@test.example');
  expect((await post([mailTo('wrong@test.example')])).json()).toEqual({
    message: '0 e-mails are on their way. 1 person has unsubscribed and gets none.',
  });
});

test("after a customer's address is corrected, queued bulk mail and bulk mail that is sent again do not go to the old address with the customer's new link to unsubscribe (reliability abuse)", async () => {
  const { id } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, email: 'mistyped@test.example' });
  expect((await post([mailTo('mistyped@test.example'), mailTo('mistyped@test.example')])).statusCode).toBe(200);
  const [failed] = await rows();
  await testApp.db
    .updateTable('emails')
    .set({ status: 'failed' })
    .where('id', '=', failed?.id ?? 0)
    .execute();
  const payload = { email: 'corrected@test.example' };
  expect((await testApp.request(distributor, { method: 'PATCH', url: `/api/users/customer/${id}`, payload })).statusCode).toBe(200);
  const resent = await testApp.request(distributor, { method: 'POST', url: `/api/emails/${failed?.id}/resend` });
  expect([resent.statusCode, resent.body]).toEqual([409, CORRECTED]);
  expect((await post([mailTo('corrected@test.example')])).statusCode).toBe(200);
  const mails = (await deliverMails(testApp)).filter(({ subject }) => subject === 'Pick-up');
  expect(mails.map(({ to }) => to)).toEqual(['corrected@test.example']);
  expect((await rows()).filter(({ kind }) => kind === 'bulk')).toMatchObject([
    { to: 'mistyped@test.example', status: 'failed' },
    { to: 'mistyped@test.example', status: 'suppressed', response: CORRECTED },
    { to: 'corrected@test.example', status: 'sent' },
  ]);
});
