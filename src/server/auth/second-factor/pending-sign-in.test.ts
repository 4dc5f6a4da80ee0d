import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp } from '../../../../test/test-app.ts';
import { hashOfToken } from '../token.ts';
import { findPendingUser, MAX_PENDING_PER_USER, openPendingSignIn } from './pending-sign-in.ts';

const testApp = setupTestApp();

test('a user has at most 10,000 pending sign-ins: a new one ends the oldest, and none of another user (reliability abuse)', async () => {
  const [user, other] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  const now = testApp.time;
  const open = async ({ id }: { id: number }, at = now) => {
    const { cookie } = await openPendingSignIn(testApp.db, { userId: id, byMailedLink: false, now: at });
    return hashOfToken(cookie);
  };
  const ofOther = await open(other, new Date(now.getTime() - 2));
  const oldest = await open(user, new Date(now.getTime() - 1));
  await sql`INSERT INTO pending_sign_ins ("tokenHash", "userId", "expiresAt", "byMailedLink")
    SELECT md5(n::text), ${user.id}, ${now}::timestamptz + interval '10 minutes', false FROM generate_series(1, ${MAX_PENDING_PER_USER - 1}) n`.execute(
    testApp.db,
  );
  expect(await findPendingUser(testApp.db, oldest, now)).toBe(user.id);
  const newest = await open(user);
  const users = await Promise.all([oldest, newest, ofOther].map((token) => findPendingUser(testApp.db, token, now)));
  expect(users).toEqual([null, user.id, other.id]);
});
