// These tests check limits of a distributor that several server processes share (reliability abuse). A second copy of the server's modules
// has queues of its own, like a second process.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { MAX_PEOPLE_PER_DAY } from '../src/features/users/contract.ts';
import { MAX_WAITING } from '../src/features/waiting/contract.ts';
import { run, transaction } from '../src/server/database/db.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { waitForLockWaiters } from './database/lock-waits.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

/** Starts a second server on the same database. */
async function startSecond(): Promise<FastifyInstance> {
  vi.resetModules();
  const { buildApi } = await import('../src/api.ts');
  return await buildApi({ db: testApp.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
}

async function sessionOf(person: Person): Promise<{ cookie: string }> {
  const cookie = await testApp.cookieOf(person);
  return { cookie };
}

test(
  'several server processes together add at most 20,000 people of a distributor in a day (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    await sql`INSERT INTO users (email, role, "distributorId") SELECT 'p' || n || '@mail.test', 'customer', ${distributor.id}
    FROM generate_series(1, ${MAX_PEOPLE_PER_DAY - 100}::int) n`.execute(testApp.db);
    const second = await startSecond();
    const headers = await sessionOf(distributor);
    let answers: Promise<{ statusCode: number }>[] = [];
    // The lock lets both calls begin before one of them has ended.
    await transaction(testApp.db, async (db) => {
      await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [distributor.id]);
      answers = [testApp.app, second].map((app, index) => {
        const users = Array.from({ length: 80 }, (_, n) => ({ email: `process${index}-${n}@mail.test` }));
        const payload = { users, replyTo: distributor.email, invite: 'later' };
        return app.inject({ method: 'POST', url: '/api/users/customer', headers, payload });
      });
      await pause(500);
    });
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 429]);
    await second.close();
  },
);

test('a customer who sends concurrent requests to several server processes is on at most 100 waiting lists of a distribution (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const soldOut = [
    await makeProduct(testApp.db, distribution, { total_limit: 1 }),
    await makeProduct(testApp.db, distribution, { total_limit: 1 }),
  ];
  await makeOrder(
    testApp.db,
    distribution,
    await makeCustomer(testApp.db, distributor),
    soldOut.map((product) => [product, 1]),
  );
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, 1 FROM generate_series(1, ${MAX_WAITING - 1}::int) n RETURNING *)
    INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
    SELECT "distributorId", "distributionId", id, ${customer.id}, 1 FROM p`.execute(testApp.db);
  const second = await startSecond();
  const headers = await sessionOf(customer);
  const join = (app: FastifyInstance, productId: number | undefined) =>
    app.inject({ method: 'POST', url: `/api/distributions/${distribution.id}/waiting`, headers, payload: { productId, quantity: 1 } });
  // While this transaction has locked the customer, both requests wait. They then continue together.
  const { joins } = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [customer.id]);
    const joins = [join(testApp.app, soldOut[0]?.id), join(second, soldOut[1]?.id)];
    await waitForLockWaiters(testApp.db, 2);
    return { joins };
  });
  expect((await Promise.all(joins)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409]);
  await second.close();
});
