import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../test/factories.ts';
import { deliverAll, later, smtpOutbox } from '../test/outbox.ts';
import { startSmtp, type Smtp } from '../test/smtp.ts';
import { testWorld } from '../test/world.ts';
import { run } from './server/db.ts';
import { enqueueAll } from './server/outbox.ts';

const world = testWorld();
let smtp: Smtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());

async function databaseUrl(): Promise<string> {
  const {
    host,
    port,
    user,
    password = '',
  } = inject('postgres').connection as { host: string; port: number; user: string; password?: string };
  const [found] = await run<{ name: string }>(world.db, 'SELECT current_database() AS name', []);
  const signIn = [user, password].map(encodeURIComponent).join(':');
  return `postgres://${signIn}@localhost/${found?.name}?host=${encodeURIComponent(host)}&port=${port}`;
}

async function startWorker(): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: await databaseUrl(), SMTP_URL: smtp.url, LOG_LEVEL: 'fatal' };
  return spawn(process.execPath, ['src/start-worker.ts'], {
    cwd: `${import.meta.dirname}/..`,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function untilTaken(count: number): Promise<void> {
  for (const end = Date.now() + 15_000; smtp.taken.length < count && Date.now() < end;) await pause(3);
}

test('a worker killed with -9 in the middle, three times: nothing is lost, nothing is sent twice, and what is in doubt is shown', async () => {
  const distributor = await makeDistributor(world.db);
  const customer = await makeCustomer(world.db, distributor);
  const mail = { kind: 'bulk' as const, userId: customer.id, distributorId: distributor.id, subject: 'Hello', html: '<p>Hello</p>' };
  await enqueueAll(
    world.db,
    Array.from({ length: 120 }, (_, index) => ({ ...mail, to: `person${index}@test.example` })),
  );
  smtp.slowness = 25;
  for (const [round, moment] of [0, 4, 17].entries()) {
    const worker = await startWorker();
    const ended = once(worker, 'exit');
    await untilTaken(1 + round * 15);
    await pause(moment);
    worker.kill('SIGKILL');
    await ended;
  }
  expect(smtp.taken.length).toBeGreaterThan(30);
  expect(smtp.taken.length).toBeLessThan(120);

  smtp.slowness = 0;
  const outbox = smtpOutbox(world, smtp.url);
  later(outbox, 11);
  await deliverAll(outbox);
  outbox.transport.close();

  const rows = await world.db.selectFrom('emails').select(['to', 'status', 'success']).execute();
  const taken = smtp.taken.map(({ recipients }) => recipients[0]);
  expect(new Set(taken).size).toBe(taken.length);
  expect(rows.filter(({ status }) => status !== 'sent' && status !== 'unknown')).toEqual([]);
  expect(rows.filter(({ to, status }) => status === 'sent' && !taken.includes(to))).toEqual([]);
  expect(rows.filter(({ status }) => status === 'unknown').length).toBeLessThanOrEqual(15);
  expect(rows).toHaveLength(120);
}, 60_000);

test('a worker that is asked to stop finishes what it hands over and leaves no doubt', async () => {
  await world.db.updateTable('emails').set({ status: 'queued', success: false }).execute();
  smtp.taken.length = 0;
  smtp.slowness = 50;
  const worker = await startWorker();
  const ended = once(worker, 'exit');
  await untilTaken(3);
  worker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const sent = await world.db.selectFrom('emails').select('status').where('status', '<>', 'queued').execute();
  expect(sent.filter(({ status }) => status !== 'sent')).toEqual([]);
  expect(sent.length).toBe(smtp.taken.length);
}, 60_000);
