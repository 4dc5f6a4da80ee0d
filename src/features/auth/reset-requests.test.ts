import { beforeEach, describe, expect, test } from 'vitest';
import { deliverMails, mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAccounts } from '../../../test/data/accounts.ts';
import { makeAgent, makeCustomer, makeUser } from '../../../test/data/factories.ts';
import { comparableResponse, statusAndBody } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { requestReset } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
beforeEach(() => testApp.db.deleteFrom('reset_networks').execute());
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

let made = 0;
const fresh = () => `unknown${(made += 1)}@test.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const ask = (email: string, headers: Record<string, string> = {}) =>
  testApp.app.inject({ method: 'POST', url: requestReset.path, payload: { email }, headers });
const rowOf = (email: string) => testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const disabled = (person: Person) =>
  testApp.db.updateTable('users').set({ disabledAt: '2027-03-01T12:00:00Z' }).where('id', '=', person.id).execute();

describe('a request for a password reset link', () => {
  test('gets the same reply for every e-mail address; only addresses of accounts get a mail (spec §7, §8; contract §3)', async () => {
    const shut = await makeAgent(testApp.db, distributor);
    await disabled(shut);
    const staff = await makeUser(testApp.db, 'admin', { password: 'hash' });
    const answers: Awaited<ReturnType<typeof comparableResponse>>[] = [];
    for (const email of [customer.email, ` ${customer.email.toUpperCase()} `, staff.email, fresh(), shut.email])
      answers.push(await comparableResponse(ask(email)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject({
      statusCode: 200,
      body: '{"message":"If an account exists with that email, you will receive password reset instructions."}',
    });
    expect([await mailsTo(testApp, customer.id), await mailsTo(testApp, staff.id), await mailsTo(testApp, shut.id)]).toEqual([
      ['reset', 'reset'],
      ['reset'],
      [],
    ]);
    const [row] = await testApp.db.selectFrom('emails').selectAll().where('userId', '=', customer.id).execute();
    expect(row).toMatchObject({ status: 'queued', distributorId: distributor.id, html: '', createdAt: '2027-04-01T12:00:00.000Z' });
    expect((await rowOf(customer.email))?.resetPasswordToken).toBeNull();
    expect(await statusAndBody(ask('rivka'))).toEqual([400, 'Invalid email address']);
  });

  test('mails at most three links an hour to one account, even for thirty concurrent requests (contract §3)', async () => {
    // Thirty requests first open all database connections, so that opening them does not delay the following requests.
    await Promise.all(Array.from({ length: 30 }, () => ask(fresh())));
    const answers = await Promise.all(Array.from({ length: 30 }, () => comparableResponse(ask(customer.email))));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await mailsTo(testApp, customer.id)).toHaveLength(3);
    later(59);
    await ask(customer.email);
    expect(await mailsTo(testApp, customer.id)).toHaveLength(3);
    later(1);
    await ask(customer.email);
    expect(await mailsTo(testApp, customer.id)).toHaveLength(4);
  });

  test('takes at least 95 ms for unknown and for known e-mail addresses (contract §3)', async () => {
    for (const email of [fresh(), customer.email]) {
      const began = performance.now();
      await ask(email);
      // The server delays every response until 100 ms have passed. This is longer than the work for a known e-mail address, so the response
      // time does not reveal which addresses are known.
      expect(performance.now() - began).toBeGreaterThan(95);
    }
  });

  test('results in a link with the configured URL, whatever the Host header of the request says (contract §1)', async () => {
    const names = [
      'host',
      'x-forwarded-host',
      'x-forwarded-server',
      'x-original-host',
      'x-host',
      'x-forwarded-for',
      'origin',
      'referer',
      'x-original-url',
    ];
    const hostile: Record<string, string>[] = [
      ...names.map((name) => ({ [name]: 'evil.example' })),
      ...names.map((name) => ({ [name]: 'http://evil.example/#' })),
      { forwarded: 'host=evil.example;proto=https' },
      { host: 'localhost:3000@evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '666' },
    ];
    expect(hostile).toHaveLength(20);
    for (const headers of hostile) await ask((await makeCustomer(testApp.db, distributor)).email, headers);
    const links = (await deliverMails(testApp)).flatMap(({ html, text }) =>
      [...`${html} ${text}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(String),
    );
    expect(links.length).toBeGreaterThanOrEqual(2 * (hostile.length - 2));
    for (const link of links) expect(link.startsWith('http://localhost:3000/auth?token=')).toBe(true);
  });
});
