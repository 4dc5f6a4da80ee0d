// Tests recovery codes and passkeys as the second step of a sign-in (contract §19).
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieBrowser } from '../../../test/cookie-browser.ts';
import { makeUser } from '../../../test/data/factories.ts';
import { softwarePasskey } from '../../../test/data/passkeys/software-passkey.ts';
import { CLOCK, setupTestApp, type Person } from '../../../test/test-app.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { run, transaction } from '../../server/database/db.ts';
import { newCodeSecret } from '../../server/auth/second-factor/code-app.ts';
import { renewCodes } from '../second-factor/queries.ts';
import { WRONG_PASSKEY, WRONG_RECOVERY_CODE } from './texts.ts';

const testApp = setupTestApp();
const PASSWORD = 'Three-Sheep-42';
let stored: string;
let distributor: Person;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  testApp.time = new Date(CLOCK);
  distributor = await makeUser(testApp.db, 'distributor', { password: stored });
});

async function addCodeApp(person = distributor): Promise<string[]> {
  await testApp.db.insertInto('code_apps').values({ userId: person.id, secret: newCodeSecret(), usedAt: null }).execute();
  return await renewCodes(testApp.db, person.id);
}

function browser() {
  const one = cookieBrowser(testApp.app);
  return { ...one, signIn: (password = PASSWORD) => one.signIn(distributor.email, password) };
}

const user = () => ({ id: distributor.id, email: distributor.email, role: 'distributor', distributorId: null });

describe('a recovery code', () => {
  test('works once, with any spacing, hyphens and case; the second factor stays, and the audit trail records the use (contract §19)', async () => {
    const [first = '', second = ''] = await addCodeApp();
    const one = browser();
    await one.signIn();
    expect((await one.step({ recoveryCode: ` ${first.toLowerCase().replaceAll('-', ' ')}` }))[0]).toBe(200);
    const next = browser();
    expect((await next.signIn()).json()).toEqual({ secondFactor: ['code'] });
    expect(await next.step({ recoveryCode: first })).toEqual([401, WRONG_RECOVERY_CODE]);
    expect((await next.step({ recoveryCode: second }))[0]).toBe(200);
    const trail = await testApp.db.selectFrom('distributor_audit').selectAll().where('distributorId', '=', distributor.id).execute();
    expect(trail.map(({ act, updatedBy }) => [act, updatedBy])).toEqual([
      ['recovery-code', distributor.id],
      ['recovery-code', distributor.id],
    ]);
  });

  test('is accepted by only one of several concurrent sign-ins', async () => {
    const [first = ''] = await addCodeApp();
    const browsers = [browser(), browser(), browser()];
    for (const one of browsers) await one.signIn();
    const outcomes = await Promise.all(browsers.map((one) => one.step({ recoveryCode: first })));
    expect(outcomes.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  });

  test('that is sent twice at once, for example by a double click, signs in once and counts no failure', async () => {
    const [first = ''] = await addCodeApp();
    const one = browser();
    await one.signIn();
    // The lock lets both calls begin before one of them has ended.
    const steps = await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [distributor.id]);
      const calls = [first, first].map((recoveryCode) => one.step({ recoveryCode }));
      await pause(300);
      return calls;
    });
    const outcomes = await Promise.all(steps);
    expect(outcomes.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const failures = await testApp.db
      .selectFrom('users')
      .select('loginAttempts')
      .where('id', '=', distributor.id)
      .executeTakeFirstOrThrow();
    expect(failures).toEqual({ loginAttempts: 0 });
  });

  test('is stored only as a hash', async () => {
    const codes = await addCodeApp();
    const rows = await testApp.db.selectFrom('recovery_codes').selectAll().where('userId', '=', distributor.id).execute();
    expect([codes.length, new Set(codes).size, rows.length]).toEqual([10, 10, 10]);
    for (const one of codes) expect(JSON.stringify(rows)).not.toContain(one);
  });
});

describe('a passkey', () => {
  const passkeyOf = async (person: Person) => {
    const passkey = softwarePasskey();
    const call = (url: string, payload: object) => testApp.request(person, { method: 'POST', url, payload });
    const options = await call('/api/user/second-factor/passkeys/start', { password: PASSWORD });
    const added = await call('/api/user/second-factor/passkeys', {
      name: 'Phone',
      passkey: passkey.create(options.json<{ challenge: string }>().challenge),
    });
    expect(added.statusCode).toBe(201);
    return passkey;
  };
  const challengeOf = async (one: ReturnType<typeof browser>) => {
    const answer = await one.post('/api/login/second-factor/challenge');
    expect(answer.statusCode).toBe(200);
    return answer.json<{ challenge: string; rpId: string; allowCredentials: { id: string }[] }>();
  };

  test('is accepted once, for the challenge of this sign-in (contract §19)', async () => {
    const passkey = await passkeyOf(distributor);
    const one = browser();
    expect((await one.signIn()).json()).toEqual({ secondFactor: ['passkey'] });
    const { challenge, rpId, allowCredentials } = await challengeOf(one);
    expect([rpId, allowCredentials.map(({ id }) => id)]).toEqual(['localhost', [passkey.id]]);
    const signed = passkey.sign(challenge);
    expect([await one.step({ passkey: signed }), await one.isIn()]).toEqual([[200, user()], true]);
    const replay = browser();
    await replay.signIn();
    await challengeOf(replay);
    expect(await replay.step({ passkey: signed })).toEqual([401, WRONG_PASSKEY]);
  });

  test('is offered before the code when both are set up (contract §19)', async () => {
    await passkeyOf(distributor);
    await addCodeApp();
    expect((await browser().signIn()).json()).toEqual({ secondFactor: ['passkey', 'code'] });
  });

  test('is refused when it is of another user, is signed with another key, comes from another site, or answers another challenge', async () => {
    const passkey = await passkeyOf(distributor);
    const other = await passkeyOf(await makeUser(testApp.db, 'distributor', { password: stored }));
    const copied = passkey.sign('before');
    const attempts: ((challenge: string) => object)[] = [
      (challenge) => other.sign(challenge),
      (challenge) => ({ ...softwarePasskey().sign(challenge), id: passkey.id, rawId: passkey.id }),
      (challenge) => ({ ...softwarePasskey({ rpId: 'localhost', origin: 'https://evil.example' }).sign(challenge), id: passkey.id }),
      () => copied,
    ];
    for (const [index, attempt] of attempts.entries()) {
      testApp.time = new Date(CLOCK.getTime() + index * 20 * 60_000);
      const one = browser();
      await one.signIn();
      const { challenge } = await challengeOf(one);
      expect(await one.step({ passkey: attempt(challenge) })).toEqual([401, WRONG_PASSKEY]);
      // The server accepts only one signature for each challenge.
      expect(await one.step({ passkey: passkey.sign(challenge) })).toEqual([401, WRONG_PASSKEY]);
      await testApp.db.updateTable('users').set({ loginAttempts: 0 }).where('id', '=', distributor.id).execute();
    }
  });

  test('that was removed during the sign-in is refused', async () => {
    const passkey = await passkeyOf(distributor);
    await addCodeApp();
    const one = browser();
    await one.signIn();
    const { challenge } = await challengeOf(one);
    await testApp.db.deleteFrom('passkeys').where('credentialId', '=', passkey.id).execute();
    expect(await one.step({ passkey: passkey.sign(challenge) })).toEqual([401, WRONG_PASSKEY]);
  });
});
