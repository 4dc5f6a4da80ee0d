// Runs the reliability test "limits" in a short form, with two servers in one process.
import { inject, afterEach, expect, test } from 'vitest';
import { pino } from 'pino';
import { buildApi } from '../src/api.ts';
import { openDb, run } from '../src/server/database/db.ts';
import { makeCustomer, makeDistributor } from './data/factories.ts';
import { ENDS, sellScarce, type Send } from './data/scarce-crowd.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

const CUSTOMERS = 120;

let stopSecond = async (): Promise<void> => undefined;
afterEach(() => stopSecond());

/** Starts a second server on the same database, with its own connections and caches. */
async function startSecond() {
  const [{ database } = { database: '' }] = await run<{ database: string }>(testApp.db, 'SELECT current_database() AS database', []);
  const opened = openDb({ ...inject('postgres').connection, database }, () => undefined);
  const app = await buildApi({ db: opened.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
  stopSecond = async () => {
    await app.close();
    await opened.close();
  };
  return app;
}

async function senderToBoth(): Promise<Send> {
  const second = await startSecond();
  const cookies = new Map<number, string>();
  const cookieOf = async (person: Person): Promise<string> => {
    const cookie = cookies.get(person.id) ?? (await testApp.cookieOf(person));
    cookies.set(person.id, cookie);
    return cookie;
  };
  return async (by, method, path, payload) => {
    const headers = { cookie: await cookieOf(by) };
    // The status 503 says that the server is busy and has done nothing. The test then repeats the request.
    for (;;) {
      const app = Math.random() < 0.5 ? testApp.app : second;
      const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) });
      expect([200, 201, 204, 400, 404, 409, 503], answer.body).toContain(answer.statusCode);
      if (answer.statusCode !== 503) return answer.statusCode;
    }
  };
}

test.each(ENDS)(
  "when many customers order a product on two servers %s, they never exceed the product's limit, and freed units are held in waiting-list order (contract §12)",
  async (end) => {
    const send = await senderToBoth();
    const distributor = await makeDistributor(testApp.db);
    const people = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(testApp.db, distributor)));
    await expect(sellScarce({ db: testApp.db, distributor, people, send }, end)).resolves.toBeUndefined();
  },
);
