import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { readEnv } from '../../operations/env.ts';
import { createApp } from '../app.ts';
import { TIMEOUTS } from '../timeouts.ts';
import { limitConnections } from './max-connections.ts';

const sockets: Socket[] = [];
let server: Server | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function listen(trustProxy: number, openFiles: number): Promise<number> {
  server = createServer();
  limitConnections(server, { trustProxy }, openFiles);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens connections one after the other, and resolves with the number of those that the server keeps. */
async function keptOf(count: number, port: number): Promise<number> {
  for (let left = count; left > 0; left--) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
  }
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length).toBe(await connectionsOf());
  return await connectionsOf();
}
const connectionsOf = (): Promise<number> => new Promise((resolve) => server?.getConnections((_, count) => resolve(count)));

test('an app has at most 10,000 connections, or half as many as the process may open files (reliability abuse)', async () => {
  const app = await createApp(readEnv({}), pino({ level: 'silent' }));
  expect(app.server.maxConnections).toBeGreaterThan(0);
  expect(app.server.maxConnections).toBeLessThanOrEqual(10_000);
  for (const [openFiles, connections] of [
    [1024, 512],
    [20_000, 10_000],
    [1_000_000, 10_000],
    [Infinity, 10_000],
  ] as const) {
    limitConnections(app.server, { trustProxy: 1 }, openFiles);
    expect(app.server.maxConnections).toBe(connections);
  }
  await app.close();
});

test('without a proxy, one address has at most 60 percent of the connections, and closed connections make room (reliability abuse)', async () => {
  const port = await listen(0, 40);
  expect(await keptOf(20, port)).toBe(12);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(connectionsOf).toBe(0);
  expect(await keptOf(20, port)).toBe(12);
});

test('behind a proxy, its address may have all connections', async () => {
  expect(await keptOf(25, await listen(1, 40))).toBe(20);
});

test('a connection whose client does not send the header of its request in time is closed, also if it sends nothing (reliability abuse)', async () => {
  expect(TIMEOUTS.headers).toBe(10_000);
  const app = await createApp(readEnv({}), pino({ level: 'silent' }), { ...TIMEOUTS, headers: 100 });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  for (const text of ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: localhost\r\n']) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(text);
    await once(socket.resume(), 'close');
  }
  await app.close();
});
