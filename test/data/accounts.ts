// Creates a distributor and a customer who can sign in, for the tests of accounts.
import { hashPassword } from '../../src/server/auth/password.ts';
import type { TestApp } from '../test-app.ts';
import { makeDistributor, makeUser } from './factories.ts';

export const PASSWORD = 'Three-Sheep-42';

let hashed: Promise<string> | undefined;
/** Returns the stored hash of PASSWORD. It is computed once per test file, because hashing is slow on purpose. */
export const hashOfPassword = (): Promise<string> => (hashed ??= hashPassword(PASSWORD));

/** Creates a distributor with one customer, and sets the application's clock to a fixed time. */
export async function makeAccounts(testApp: Pick<TestApp, 'db' | 'time'>) {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  const distributor = await makeDistributor(testApp.db);
  const password = await hashOfPassword();
  return { distributor, customer: await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password }) };
}
