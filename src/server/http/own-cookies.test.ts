import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readEnv } from '../operations/env.ts';
import { createApp } from './app.ts';

const cookiesOf = async (cookie: string, publicUrl = 'http://localhost:3000') => {
  const app = await createApp(readEnv({ PUBLIC_URL: publicUrl }), pino({ level: 'silent' }));
  app.get('/cookies', ({ cookies }) => cookies);
  const answer = await app.inject({ url: '/cookies', headers: { cookie } });
  await app.close();
  return [answer.statusCode, answer.json()];
};
const FOREIGN = Array.from({ length: 1700 }, (_, index) => `c${index}=${index}`).join('; ');

test("the server parses only the product's own cookies, however many others a Cookie header has (reliability abuse)", async () => {
  const own = { sid: 'a b', device: 'd', 'second-step': 's', feastday_theme: 'dark' };
  expect(await cookiesOf(`${FOREIGN}; sid=a%20b;device=d; second-step=s;  feastday_theme=dark; xsid=1; sid2=2; ${FOREIGN}`)).toEqual([
    200,
    own,
  ]);
  expect(await cookiesOf(FOREIGN)).toEqual([200, {}]);
});

test('the server reads the first of several cookies with the same name, and with https only cookies with the prefix __Host-', async () => {
  expect(await cookiesOf(`sid=first; ${'sid=next; '.repeat(1000)}`)).toEqual([200, { sid: 'first' }]);
  expect(await cookiesOf('sid=plain; __Host-sid=secure; device=d', 'https://feastday.example')).toEqual([200, { '__Host-sid': 'secure' }]);
});
