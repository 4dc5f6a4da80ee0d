import { beforeAll, describe, expect, test } from 'vitest';
import { run, transaction } from '../src/server/database/db.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from './data/factories.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
let admin: Person;
let distributor: Person;
beforeAll(async () => {
  admin = await makeAdmin(testApp.db);
  distributor = await makeDistributor(testApp.db);
});

/** Calls while a save of this person, which refers to the row of its account, has not ended. Returns the status of the reply. */
const duringSave = (person: Person, call: () => Promise<{ statusCode: number }>): Promise<number> =>
  transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [person.id]);
    return (await call()).statusCode;
  });

// A save refers to the account of its user. A statement that locks the account FOR UPDATE waits for all such saves, also for those that begin
// after it. If a stolen account always had a save running, such a statement would never get the lock, and staff could not stop the account.
describe("stopping a stolen account does not wait for the account's own saves (reliability abuse)", () => {
  const acts = ['disable', 'enable', 'sign-out', 'unlock'] as const;

  test.each(acts)('an admin: %s a distributor', async (act) => {
    const stolen = await makeDistributor(testApp.db);
    const url = `/api/distributors/${stolen.id}/${act}`;
    expect(await duringSave(stolen, () => testApp.request(admin, { method: 'POST', url }))).toBe(204);
  });

  test.each(acts)('a distributor: %s an agent or a customer', async (act) => {
    for (const stolen of [await makeAgent(testApp.db, distributor), await makeCustomer(testApp.db, distributor)]) {
      const url = `/api/users/${stolen.role}/${stolen.id}/${act}`;
      expect(await duringSave(stolen, () => testApp.request(distributor, { method: 'POST', url }))).toBe(204);
    }
  });
});
