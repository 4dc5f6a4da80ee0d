import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { makeDistributor } from '../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { endpoint } from '../../../shared/endpoint.ts';
import { conflict, type HttpError } from '../../errors.ts';
import { DONE_WITHOUT_REPLY, withIdempotencyKey } from './idempotency.ts';
import type { CountedRows } from '../../database/count-rows.ts';
import { on, type AnyContext, type Route } from './route.ts';
import { limitAllStoredReplies } from './stored-replies.ts';

const testApp = setupTestApp();
const save = endpoint({ method: 'POST', path: '/api/things', summary: 'Save', roles: ['customer'], reply: z.string(), idempotent: true });

let person: Person;
beforeEach(async () => {
  person = await makeDistributor(testApp.db);
});

/** The rows and bytes that the calls have counted. */
const counted: CountedRows[] = [];
const send = (route: Route, key: string) => {
  testApp.time = new Date(testApp.time.getTime() + 1000);
  const idempotency = { userId: person.id, key, bodyHash: 'of the body', now: testApp.time };
  return withIdempotencyKey(route)(
    { db: testApp.db, idempotency, countRows: (rows: CountedRows) => counted.push(rows) } as unknown as AnyContext,
    {} as FastifyRequest,
  );
};
const statusOf = (route: Route, key: string): Promise<number> =>
  send(route, key).then(
    () => 200,
    (error: HttpError) => error.status,
  );
/** Returns a megabyte of random text, because PostgreSQL would compress repeated text. */
const megabyte = (): string => randomBytes(500_000).toString('hex');

/** Stores `count` replies of one megabyte, each a second after the previous one. */
async function store(count: number): Promise<void> {
  await sql`INSERT INTO idempotency_keys ("userId", key, "bodyHash", status, reply, "createdAt")
    SELECT ${person.id}, 'stored ' || n, 'of the body', 200, ${JSON.stringify(megabyte())}, ${testApp.time}::timestamptz + n * interval '1 second'
    FROM generate_series(1, ${count}::int) n`.execute(testApp.db);
  testApp.time = new Date(testApp.time.getTime() + count * 1000);
}
const storedBytes = async () =>
  (
    await sql<{
      bytes: number;
    }>`SELECT sum(octet_length(reply))::int AS bytes FROM idempotency_keys WHERE "userId" = ${person.id}`.execute(testApp.db)
  ).rows[0]?.bytes ?? 0;

test(
  "at most 22 MB of one person's replies are stored at any time; the newest replies are kept (reliability growth)",
  { tags: ['long'] },
  async () => {
    const route = on(save, async () => megabyte());
    await store(19);
    for (let call = 0; call < 6; call++) {
      await send(route, `call ${call}`);
      expect(await storedBytes()).toBeLessThanOrEqual(22_000_000);
    }
    expect(await storedBytes()).toBeGreaterThan(18_000_000);
    expect([await statusOf(route, 'stored 1'), await statusOf(route, 'stored 19'), await statusOf(route, 'call 5')]).toEqual([
      409, 200, 200,
    ]);
  },
);

test(
  "when a person's newer replies exceed the limit, a stored refusal loses the details and keeps the message (reliability growth)",
  { tags: ['long'] },
  async () => {
    const refusing = on(save, () => Promise.reject(conflict('Not like this', { units: megabyte() })));
    expect(await statusOf(refusing, 'refused')).toBe(409);
    await store(20);
    const route = on(save, async () => megabyte());
    for (let call = 0; call < 3; call++) await send(route, `call ${call}`);
    await expect(send(refusing, 'refused')).rejects.toMatchObject({ status: 409, message: 'Not like this', details: {} });
  },
);

test('a stored refusal whose texts contain U+0000 or half of an emoji can be shortened, so that it does not prevent the limit for other replies (reliability abuse)', async () => {
  const refusing = on(save, () => Promise.reject(conflict('Not \ud83c like\0 this', { name: '\0\ud83c', units: megabyte() })));
  expect(await statusOf(refusing, 'refused')).toBe(409);
  await store(20);
  await limitAllStoredReplies(testApp.db);
  expect(await storedBytes()).toBeLessThanOrEqual(20_000_000);
  await expect(send(refusing, 'refused')).rejects.toMatchObject({ status: 409, message: 'Not \ufffd like this', details: {} });
});

test('a refusal by idempotentFastPath is stored without running the call again, so that the call takes its locks only once', async () => {
  let runs = 0;
  const refuse = () => {
    runs++;
    return Promise.reject(conflict('Only 3 left'));
  };
  const route = on(save, refuse, { idempotentFastPath: refuse });
  await expect(send(route, 'full')).rejects.toMatchObject({ status: 409, message: 'Only 3 left' });
  expect(runs).toBe(1);
});

test('a reply of more than 2 MB is not stored; the repeated call gets 409 and runs only once (reliability freeze)', async () => {
  let runs = 0;
  counted.length = 0;
  const route = on(save, async () => `${(runs += 1)}${'A'.repeat(2_000_000)}`);
  expect([await statusOf(route, 'long'), await statusOf(route, 'long'), runs]).toEqual([200, 409, 1]);
  await expect(send(route, 'long')).rejects.toMatchObject({ message: DONE_WITHOUT_REPLY });
  // Only the key is stored.
  expect(counted).toEqual([{ storedBytes: 'long'.length }]);
  expect(await storedBytes()).toBe(0);
  const refusing = on(save, () => Promise.reject(conflict('Not like this', { units: 'A'.repeat(2_000_000) })));
  expect(await statusOf(refusing, 'refused')).toBe(409);
  await expect(send(refusing, 'refused')).rejects.toMatchObject({ status: 409, message: 'Not like this', details: {} });
});

test(
  'the limit of 20 MB counts the bytes of the replies as they are read, not their compressed size (reliability freeze)',
  { tags: ['long'] },
  async () => {
    const route = on(save, async () => 'A'.repeat(1_900_000));
    for (let call = 0; call < 14; call++) await send(route, `call ${call}`);
    expect(await storedBytes()).toBeLessThanOrEqual(24_000_000);
  },
);

test('a preview ignores the Idempotency-Key, so that its reply is not stored and is always current (reliability growth)', async () => {
  let calls = 0;
  const preview = on(save, async ({ db }) => `${db.isTransaction} ${++calls}`, { isPreview: () => true }) as Route;
  expect([await send(preview, 'one'), await send(preview, 'one')]).toEqual(['false 1', 'false 2']);
  expect(await testApp.db.selectFrom('idempotency_keys').selectAll().where('userId', '=', person.id).execute()).toEqual([]);
});
