import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readEnv } from '../operations/env.ts';
import { groupsOf } from './admission-rules.ts';
import { createApp } from './app.ts';

test.each([
  ['GET', '/assets/some.js', 0, ['files of 127.0.0.1']],
  ['GET', '/assets/some.js', 20_000, ['long bodies of 127.0.0.1', 'long bodies of all networks']],
  ['POST', '/assets/some.js', 20_000, ['long bodies of 127.0.0.1', 'long bodies of all networks']],
  ['POST', '/assets/some.js', 10, ['requests of 127.0.0.1']],
] as const)(
  'only reads of files have the limits of files: %s %s with a body of %i bytes counts in the groups %j (reliability abuse)',
  async (method, url, length, keys) => {
    const env = readEnv({});
    const app = await createApp(env, pino({ level: 'silent' }));
    let found: string[] = [];
    app.addHook('onRequest', async (request) => {
      found = groupsOf(env, request).map(({ key }) => key);
    });
    await app.inject({ method, url, headers: { 'content-type': 'text/plain' }, payload: 'x'.repeat(length) });
    expect(found).toEqual(keys);
    await app.close();
  },
);
