import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { createApp } from './app.ts';

const testApp = setupTestApp();
const SLOW_MS = 10;
const LONG = 20_000;

test('long bodies of different clients are parsed one after the other, and after each the server rests twice as long as the parsing took (reliability abuse)', async () => {
  const app = await createApp({ ...testApp.env, trustProxy: 1 }, pino({ level: 'silent' }));
  app.post('/', async () => 'read');
  const parsed: { began: number; ended: number }[] = [];
  const parse = JSON.parse;
  const slowParse = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    const began = performance.now();
    while (text.length >= LONG && performance.now() - began < SLOW_MS);
    const value: unknown = parse(text, reviver);
    if (text.length >= LONG) parsed.push({ began, ended: performance.now() });
    return value;
  });
  const send = (index: number) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${index}` };
    return app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify({ text: 'x'.repeat(LONG) }) });
  };
  const answers = await Promise.all([1, 2, 3, 4].map(send));
  slowParse.mockRestore();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const rests = parsed.slice(1).map(({ began }, index) => began - (parsed[index]?.ended ?? 0));
  expect(rests).toHaveLength(3);
  // A timer may end a millisecond early.
  for (const rest of rests) expect(rest).toBeGreaterThanOrEqual(2 * SLOW_MS - 1);
  await app.close();
});
