import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readEnv } from '../../operations/env.ts';
import { createApp } from '../app.ts';
import { parseQuery } from './url.ts';

const queryOf = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=${index}`).join('&');

test('a URL with more than 30 parameters is refused, and only 30 of them are parsed (reliability abuse)', async () => {
  const app = await createApp(readEnv({}), pino({ level: 'silent' }));
  app.get('/query', ({ query }) => query);
  const read = await app.inject(`/query?${queryOf(30)}`);
  expect([read.statusCode, Object.keys(read.json()).length]).toEqual([200, 30]);
  for (const query of [queryOf(31), queryOf(2500), '&'.repeat(2500)]) {
    const { statusCode, body } = await app.inject(`/query?${query}`);
    expect([statusCode, body]).toEqual([414, 'The address has more than 30 parameters.']);
    expect(Object.keys(parseQuery(query)).length).toBeLessThanOrEqual(30);
  }
  await app.close();
});

test('a URL with a path of more than 2,000 characters is refused, whatever follows the path (reliability abuse)', async () => {
  const app = await createApp(readEnv({}), pino({ level: 'silent' }));
  app.get('/*', () => 'found');
  const read = async (url: string) => (await app.inject(url)).statusCode;
  const longest = `/${'a'.repeat(1999)}`;
  expect(await Promise.all([longest, `${longest}?q=${'b'.repeat(5000)}`, `${longest}a`, `${longest}a?q=b`].map(read))).toEqual([
    200, 200, 414, 414,
  ]);
  await app.close();
});

test('parameters are decoded, and a malformed one does not refuse the request', () => {
  expect({ ...parseQuery('a=1+2&b=%C3%A9&c=%zz&d=1&d=2&e') }).toEqual({ a: '1 2', b: 'é', c: '%zz', d: ['1', '2'], e: '' });
});
