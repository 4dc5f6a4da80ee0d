// Tests which devices the server process remembers. src/features/auth/device.test.ts tests sign-ins on them.
import { expect, test } from 'vitest';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { recentUserOfDevice, rememberDevice } from './device.ts';
import { hashOfToken } from './token.ts';

const testApp = setupTestApp();

test('the server remembers the last twenty devices of a user, and the user who signed in last on a device (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const [family, other] = [await makeUser(testApp.db, 'customer', { distributorId: distributor.id }), distributor];
  const signIn = async (userId: number, old: string | null = null): Promise<string> =>
    hashOfToken(await rememberDevice(testApp.db, old, { userId, now: testApp.time }));
  const known = await signIn(family.id);
  const devices: string[] = [];
  for (let count = 0; count < 22; count++) devices.push(await signIn(other.id));
  expect(devices.map(recentUserOfDevice)).toEqual([null, null, ...Array.from({ length: 20 }, () => other.id)]);
  expect([recentUserOfDevice(known), recentUserOfDevice(null)]).toEqual([family.id, null]);
  const shared = await signIn(other.id, known);
  expect([recentUserOfDevice(known), recentUserOfDevice(shared)]).toEqual([null, other.id]);
});
