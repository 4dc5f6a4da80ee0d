import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { setupTestApp } from '../../../test/test-app.ts';
import { createApp } from './app.ts';

const testApp = setupTestApp();
const SLOW_MS = 10;
const LONG = 20_000;

let app: FastifyInstance;
beforeEach(async () => {
  app = await createApp({ ...testApp.env, trustProxy: 1 }, pino({ level: 'silent' }));
  app.post('/', async () => 'read');
  app.post('/echo', async ({ body }) => body);
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const send = (network: number) => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${network}` };
  return app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify({ text: 'x'.repeat(LONG) }) });
};

test('long bodies of different clients are parsed one at a time, with a pause after each that is twice as long as the parsing (reliability abuse)', async () => {
  const parsed: { began: number; ended: number }[] = [];
  const parse = JSON.parse;
  const slowParse = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    const began = performance.now();
    while (text.length >= LONG && performance.now() - began < SLOW_MS);
    const value: unknown = parse(text, reviver);
    if (text.length >= LONG) parsed.push({ began, ended: performance.now() });
    return value;
  });
  const answers = await Promise.all([1, 2, 3, 4].map(send));
  slowParse.mockRestore();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const pauses = parsed.slice(1).map(({ began }, index) => began - (parsed[index]?.ended ?? 0));
  expect(pauses).toHaveLength(3);
  // A timer may end a millisecond early.
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(2 * SLOW_MS - 1);
});

test('a long body in the queue is not parsed if its client disconnects (reliability abuse)', { tags: ['long'] }, async () => {
  const slow = 100;
  const parsed: string[] = [];
  const parse = JSON.parse;
  const slowParse = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    const value = parse(text, reviver) as { from?: string };
    if (value.from !== undefined) parsed.push(value.from);
    for (const began = performance.now(); value.from === 'first' && performance.now() - began < slow;);
    return value;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const sendFrom = (from: string, network: number, signal?: AbortSignal) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${network}` };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ from, text: 'x'.repeat(LONG) }), signal: signal ?? null });
  };
  expect((await sendFrom('first', 1)).status).toBe(200);
  const client = new AbortController();
  const gone = sendFrom('disconnected', 2, client.signal).catch(() => 'gone');
  await pause(slow / 2);
  client.abort();
  expect(await gone).toBe('gone');
  expect((await sendFrom('last', 3)).status).toBe(200);
  slowParse.mockRestore();
  expect(parsed).toEqual(['first', 'last']);
});

test('after two signed-out requests with long bodies, the next one of the same network waits for 400 ms (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  for (let turn = 0; turn < 2; turn++) expect((await send(1)).statusCode).toBe(200);
  let isAnswered = false;
  const third = send(1).finally(() => (isAnswered = true));
  expect((await send(2)).statusCode).toBe(200);
  await vi.advanceTimersByTimeAsync(399);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await third).statusCode).toBe(200);
});

test('the body of a request to an unknown path is not parsed if it has more values than a public call may have (reliability abuse)', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const payload = JSON.stringify(Array.from({ length: 2000 }, () => 0));
  const { statusCode } = await app.inject({ method: 'POST', url: '/unknown', headers: { 'content-type': 'application/json' }, payload });
  expect(statusCode).toBe(404);
  expect(parse.mock.calls.filter(([text]) => text === payload)).toEqual([]);
  parse.mockRestore();
});

test('characters that change the direction of text are removed from all strings of a body, except from passwords, HTML, and previous values (reliability abuse)', async () => {
  const headers = { 'content-type': 'application/json' };
  const echo = (payload: object) => app.inject({ method: 'POST', url: '/echo', headers, payload: JSON.stringify(payload) });
  const [kept, name] = ['a\u202eb', 'c\u202ed\u2066e\u2069\u061c'];
  const unchanged = { password: kept, currentPassword: kept, html: kept, before: { name: kept } };
  const answer = await echo({ ...unchanged, after: { name }, users: [{ name }, name, null, 7] });
  expect(answer.json()).toEqual({ ...unchanged, after: { name: 'cde' }, users: [{ name: 'cde' }, 'cde', null, 7] });
});

test('characters that change the direction of text are removed from a deeply nested body, too, without exhausting the stack (reliability abuse)', async () => {
  const [depth, headers] = [20_000, { 'content-type': 'application/json' }];
  app.post('/innermost', { config: { maxValues: 50_000 } }, async ({ body }) => {
    let value = body;
    while (Array.isArray(value)) [value] = value as unknown[];
    return { value };
  });
  const payload = `${'['.repeat(depth)}"a\u202e"${']'.repeat(depth)}`;
  expect((await app.inject({ method: 'POST', url: '/innermost', headers, payload })).json()).toEqual({ value: 'a' });
});

test('characters that change the direction of text are removed from a long body in an iteration of the event loop after that of its parsing (reliability freeze)', async () => {
  const seen: unknown[] = [];
  const parse = JSON.parse;
  const watched = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    const value = parse(text, reviver) as { name: string };
    setImmediate(() => seen.push(value.name));
    return value;
  });
  const payload = JSON.stringify({ name: 'a\u202eb', text: 'x'.repeat(LONG) });
  const answer = await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': 'application/json' }, payload });
  watched.mockRestore();
  expect([seen, answer.json<{ name: string }>().name]).toEqual([['a\u202eb'], 'ab']);
});
