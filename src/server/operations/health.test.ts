import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { createApp } from '../http/app.ts';
import { openDb } from '../database/db.ts';
import { healthRoutes } from './health.ts';
import { registerRoutes } from '../http/pipeline/register-routes.ts';

const testApp = setupTestApp();

afterEach(() => vi.useRealTimers());

const read = () => testApp.request(null, { method: 'GET', url: '/api/health' });

test('the requests within a second share one check of the database, and the next second begins with a new check (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const before = testApp.db.poolStats().statements;
  await Promise.all(Array.from({ length: 25 }, read));
  await Promise.all(Array.from({ length: 25 }, read));
  expect(testApp.db.poolStats().statements - before).toBeLessThanOrEqual(2);
  vi.advanceTimersByTime(1100);
  const later = testApp.db.poolStats().statements;
  await read();
  expect(testApp.db.poolStats().statements - later).toBe(1);
});

describe('the health of the server (contract §1)', () => {
  test('is ok while the database responds', async () => {
    const answer = await testApp.request(null, { method: 'GET', url: '/api/health' });
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"ok"}']);
  });

  test('is 503 while the database does not respond', async () => {
    const { db, close } = openDb({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, () => undefined);
    const app = await createApp(testApp.env, pino({ level: 'silent' }));
    registerRoutes(app, healthRoutes, { db, env: testApp.env, now: () => testApp.time });
    const answer = await app.inject({ method: 'GET', url: '/api/health' });
    expect([answer.statusCode, answer.body]).toEqual([503, 'The database does not answer.']);
    // When only the database is unreachable, restarting the process does not help, so the process still counts as live.
    const alive = await app.inject({ method: 'GET', url: '/api/live' });
    expect([alive.statusCode, alive.body]).toEqual([200, '{"status":"ok"}']);
    await app.close();
    await close();
  });
});
