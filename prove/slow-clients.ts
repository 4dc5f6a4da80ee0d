// R50: two hundred connections that send a byte a second, half of them a header that never ends and half a body, beside those who order.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace } from './databases.ts';
import { startProduct, type Answer, type Product } from './product.ts';
import { counted, type Outcome, type Setting } from './proof.ts';
import { openShop, save, type Shop } from './shop.ts';

const SLOW = 200;
const ALLOWED_MS = 1000;
const HEADER = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const BODY = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';

function slowClient(port: number, begin: string): { socket: Socket; stop: () => void } {
  const socket = connect(port, '127.0.0.1', () => socket.write(begin));
  socket.on('error', () => undefined);
  const timer = setInterval(() => socket.writable && socket.write('x'), 1000);
  const stop = (): void => {
    clearInterval(timer);
    socket.destroy();
  };
  return { socket, stop };
}

/** The saves of ten customers for that long, a moment between two of one. */
async function saves(product: Product, shop: Shop, seconds: number, from: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  const until = performance.now() + seconds * 1000;
  for (let turn = from; performance.now() < until; turn++) {
    answers.push(...(await Promise.all(shop.buyers.map((buyer) => save(product, shop, { buyer, quantity: turn })))));
    await pause(200);
  }
  return answers;
}

function p95Of(answers: readonly Answer[]): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(times[Math.ceil(times.length * 0.95) - 1] ?? Infinity);
}

export async function slowClients({ on, runs }: Setting): Promise<Outcome> {
  const place = await openPlace(on);
  const product = await startProduct(place);
  const shop = await openShop(place, 10);
  const before = p95Of(await saves(product, shop, runs(10), 1));
  const slow = Array.from({ length: SLOW }, (_, n) => slowClient(product.port, n % 2 ? HEADER : BODY));
  await pause(2000);
  const answers = await saves(product, shop, runs(30), 1000);
  const held = slow.filter(({ socket }) => !socket.destroyed && socket.writable).length;
  for (const { stop } of slow) stop();
  await product.stop();
  await place.close();
  const p95 = p95Of(answers);
  const failed = answers.filter(({ status }) => status !== 200 && status !== 201).length;
  const line = `${counted(answers.length, 'saves')} beside ${SLOW} slow connections, ${held} of them still open at the end: p95 ${p95} ms (${before} ms without them), ${failed} errors`;
  return { line, holds: failed === 0 && p95 < ALLOWED_MS && held > 0 };
}
