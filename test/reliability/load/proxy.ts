// Restarts two servers behind nginx while customers order. The first run uses the nginx configuration of docs/operations.md. The second run
// uses the same configuration without the lines that are needed for restarts, to show what these lines do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { onCleanup } from '../setup/cleanups.ts';
import { startProduct, stopAndMeasure, type Product } from '../setup/product.ts';
import { counted, waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import { verifyShop, nextShop, createShop, type Shop } from '../setup/orders-and-customers.ts';
import { startTraffic } from './traffic.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

const PAGE = join(import.meta.dirname, '../../../docs/operations.md');
const WRITTEN = /^ *upstream feastday \{.*?(?=^ *```)/ms;
const WHAT_MATTERS = / max_fails=0|^ *keepalive .*$|^ *proxy_http_version .*$|^ *proxy_set_header Connection .*$/gm;

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts nginx with this configuration, but on a free port, without TLS and with the ports of the test's servers. */
async function startNginx(folder: string, written: string, ports: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const lines = written
    .replaceAll(/127\.0\.0\.1:300([12])/g, (_, nth: string) => `127.0.0.1:${ports[Number(nth) - 1]}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*$/gm, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ');
  const head = `daemon off; user ${userInfo().username}; pid ${folder}/pid; error_log ${folder}/error.log; events {}`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, `${head}\nhttp { access_log off; ${temporary}\n${lines}\n}\n`);
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  const stop = onCleanup(async () => {
    nginx.kill('SIGTERM');
    await ended;
  });
  await waitUntil(() => isOpen(port), 'nginx does not listen');
  return { url: `http://127.0.0.1:${port}`, stop };
}

interface Behind {
  readonly place: TestDatabase;
  readonly ports: readonly number[];
  readonly servers: Product[];
}

async function restartedBehind({ place, ports, servers }: Behind, written: string, shop: Shop): Promise<{ line: string; wrong: number }> {
  const nginx = await startNginx(place.folder.replace(/[^/]+$/, ''), written, ports);
  const traffic = startTraffic(nginx.url, shop);
  await traffic.untilEach(3);
  const wrong: string[] = [];
  for (const [at, server] of servers.entries()) {
    wrong.push(...(await stopAndMeasure(server)).wrong);
    servers[at] = await startProduct(place, { PORT: String(ports[at]), TRUST_PROXY: '1' });
    await pause(500);
  }
  await traffic.untilEach(3);
  await traffic.end();
  await nginx.stop();
  const { lost, torn } = await verifyShop(place, shop, traffic.told);
  const line = `${counted(traffic.requests(), 'requests')}, ${traffic.failed.length} failed, ${lost} lost, ${torn} torn`;
  return { line: [line, ...wrong].join(', '), wrong: traffic.failed.length + lost + torn + wrong.length };
}

export async function proxy({ on }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const ports = [await freePort(), await freePort()];
  const servers = await Promise.all(ports.map((port) => startProduct(place, { PORT: String(port), TRUST_PROXY: '1' })));
  const shop = await createShop(place, 16);
  const [written = ''] = WRITTEN.exec(await readFile(PAGE, 'utf8')) ?? [];
  const asWritten = await restartedBehind({ place, ports, servers }, written, shop);
  const bare = written.replaceAll(WHAT_MATTERS, '');
  if (bare === written) throw new Error('The page no longer has the lines that the contrast leaves out.');
  const without = await restartedBehind({ place, ports, servers }, bare, await nextShop(place, shop));
  for (const server of servers) await server.stop();
  await place.close();
  const line = `both of two servers restarted beside 16 who order: ${asWritten.line}; without max_fails and keepalive: ${without.line}`;
  return { line, holds: asWritten.wrong === 0 };
}
