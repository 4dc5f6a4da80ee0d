// These tests check limits of a distributor that several server processes share (reliability abuse). A second copy of the server's modules
// has queues of its own, like a second process.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { MAX_PEOPLE_PER_DAY } from '../src/features/users/contract.ts';
import { openSession } from '../src/server/auth/session.ts';
import { run, transaction } from '../src/server/database/db.ts';
import { makeDistributor } from './data/factories.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();

test('several server processes together add at most 20,000 people of a distributor in a day (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  await sql`INSERT INTO users (email, role, "distributorId") SELECT 'p' || n || '@mail.test', 'customer', ${distributor.id}
    FROM generate_series(1, ${MAX_PEOPLE_PER_DAY - 100}::int) n`.execute(testApp.db);
  vi.resetModules();
  const { buildApi } = await import('../src/api.ts');
  const second = await buildApi({ db: testApp.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
  const { cookie } = await openSession(testApp.db, distributor, undefined, {
    now: testApp.time,
    rules: { customerIdleDays: 7, secure: false },
  });
  let answers: Promise<{ statusCode: number }>[] = [];
  // The lock lets both calls begin before one of them has ended.
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [distributor.id]);
    answers = [testApp.app, second].map((app, index) => {
      const users = Array.from({ length: 80 }, (_, n) => ({ email: `process${index}-${n}@mail.test` }));
      const payload = { users, replyTo: distributor.email, invite: 'later' };
      return app.inject({ method: 'POST', url: '/api/users/customer', headers: { cookie: `sid=${cookie}` }, payload });
    });
    await pause(500);
  });
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 429]);
  await second.close();
});
