import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../http/app.ts';
import { readEnv } from './env.ts';
import { serveSource } from './source.ts';

async function answerWith(source: NodeJS.ProcessEnv) {
  const env = readEnv(source);
  const app = await createApp(env, pino({ level: 'silent' }));
  serveSource(app, env);
  const answer = await app.inject({ method: 'GET', url: '/source' });
  await app.close();
  return answer;
}

test('the source page states the license and that the source code is available', async () => {
  const { statusCode, headers, body } = await answerWith({});
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body).toContain('GNU Affero General Public License, version 3');
  expect(body).toContain('Ask whoever runs this server for it.');
});

test('the page /source redirects to the URL in SOURCE_URL', async () => {
  const { statusCode, headers } = await answerWith({ SOURCE_URL: 'https://git.example.org/our/feastday' });
  expect([statusCode, headers['location']]).toEqual([302, 'https://git.example.org/our/feastday']);
});
