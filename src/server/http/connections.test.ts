import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { readEnv } from '../operations/env.ts';
import { createApp } from './app.ts';
import { unauthenticated } from '../errors.ts';

let app: FastifyInstance;
let port: number;
let answered: number;
beforeEach(async () => {
  answered = 0;
  app = await createApp(readEnv({}), pino({ level: 'silent' }));
  app.get('/api/read', async () => {
    answered++;
    return 'read';
  });
  const refuse = (): never => {
    throw unauthenticated();
  };
  app.post('/api/short', { bodyLimit: 1000 }, async () => 'never');
  app.post('/api/refused', { onRequest: async () => refuse() }, async () => 'never');
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => await app.close());

/** Sends this text on a new connection, and then `more` until the server closes the connection. Resolves with what the server has sent. */
function exchange(text: string, more?: string): Promise<{ reply: string; sent: number }> {
  const socket = connect(port, '127.0.0.1');
  let [reply, sent] = ['', 0];
  socket.on('data', (chunk) => (reply += chunk.toString()));
  const flood = (): void => {
    while (more !== undefined && socket.writable) {
      sent += more.length;
      if (!socket.write(more)) return void socket.once('drain', flood);
    }
  };
  socket.on('error', () => undefined);
  socket.write(text, flood);
  return new Promise((resolve) => socket.once('close', () => resolve({ reply, sent })));
}
const GET = 'GET /api/read HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = (headers: string, path = '/api/refused'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
const MEGABYTE = 'x'.repeat(1_000_000);

test.each(['/api/read', '/%z'])(
  'the server closes a connection on which a client requests %s without waiting for the responses (reliability abuse)',
  async (path) => {
    const { reply } = await exchange(GET.replace('/api/read', path).repeat(1000));
    expect(reply.match(/HTTP\/1.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(answered).toBeLessThanOrEqual(1);
  },
);

test('requests that are sent one after the other on one connection are answered', async () => {
  const socket = connect(port, '127.0.0.1');
  for (let turn = 1; turn <= 3; turn++) {
    socket.write(GET);
    await new Promise((resolve) => socket.once('data', resolve));
    expect(answered).toBe(turn);
  }
  socket.destroy();
});

test('a body in chunks is refused with 411 before it is read, because each chunk takes processor time (reliability abuse)', async () => {
  const { reply, sent } = await exchange(post('Transfer-Encoding: chunked'), '1\r\na\r\n'.repeat(10_000));
  expect(reply).toMatch(/^HTTP\/1.1 411 /);
  expect(sent).toBeLessThan(20_000_000);
});

test.each([
  ['a malformed address', GET.replace('/api/read', '/%zz'), 400],
  ['an unknown expectation', GET.replace('\r\n\r\n', '\r\nExpect: miracles\r\n\r\n'), 417],
])('a connection is closed after a request with %s, because no limit counts such requests (reliability abuse)', async (_, text, status) => {
  const { reply } = await exchange(text);
  expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400, 'The request is malformed.'],
  ['a header of 20 kB', GET.replace('\r\n\r\n', `\r\na: ${'x'.repeat(20_000)}\r\n\r\n`), 431, 'The header of the request is too large.'],
])(
  'a request that Node.js cannot parse is refused with one sentence as plain text: %s (contract §2)',
  async (_, text, status, sentence) => {
    const { reply } = await exchange(text);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nContent-Type: text/plain; charset=utf-8\r\n[^]*\r\n\r\n${sentence}$`));
  },
);

test('a request with more than 100 header fields is refused, because Node.js ignores the further ones, such as Content-Length (reliability abuse)', async () => {
  const withFields = (count: number): string =>
    GET.replace('Host: localhost\r\n', `Host: localhost\r\n${'a:\r\n'.repeat(count - 2)}Connection: close\r\n`);
  expect((await exchange(withFields(100))).reply).toMatch(/^HTTP\/1.1 200 /);
  for (const count of [101, 150, 3000])
    expect((await exchange(withFields(count))).reply).toMatch(/^HTTP\/1.1 431 [^]*The header of the request is too large\./);
  expect(answered).toBe(1);
});

test('a refused request whose body arrives gets its response; a body that never ends closes the connection (reliability abuse)', async () => {
  const whole = await exchange(`${post('Content-Length: 1000000\r\nConnection: close')}${MEGABYTE}`);
  expect(whole.reply).toMatch(/^HTTP\/1.1 401 [\s\S]*Please sign in/);
  const endless = await exchange(post('Content-Length: 100000000000'), MEGABYTE);
  expect(endless.sent).toBeLessThan(60_000_000);
});

test.each(['/api/short', '/api/refused'])(
  'a body of 50 MB that is refused for its size, or without a session, is not read: %s (reliability abuse)',
  async (path) => {
    const { sent } = await exchange(post('Content-Length: 50000000', path), MEGABYTE);
    expect(sent).toBeLessThan(20_000_000);
  },
);
