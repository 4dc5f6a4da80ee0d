import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../test/data/factories.ts';
import { deliverAll, later, smtpOutbox } from '../test/mail/outbox.ts';
import { startSmtp, type Phase, type Smtp } from '../test/mail/smtp-server.ts';
import { waitForLockWaiters, LOCK_WAITERS } from '../test/database/lock-waits.ts';
import { sampleOf } from '../test/setup/sampling.ts';
import { setupTestApp } from '../test/test-app.ts';
import { run, transaction } from './server/database/db.ts';
import { enqueueAll } from './server/mail/outbox.ts';
import { deliverDue } from './server/mail/outbox-worker.ts';

const testApp = setupTestApp();
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
  const [found] = await run<{ name: string }>(testApp.db, 'SELECT current_database() AS name', []);
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

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await pause(2)) if (Date.now() > end) throw new Error('it never came to that');
}

type Table = 'emails' | 'users';
/** Locks the table while `work` runs, so that no other connection reads or writes it. */
const whileLocked = (table: Table, work: () => Promise<unknown>): Promise<unknown> =>
  transaction(testApp.db, async (db) => {
    await run(db, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, []);
    await work();
  });

const cutWaiting = (): Promise<unknown> => run(testApp.db, `SELECT pg_terminate_backend(pid) FROM (${LOCK_WAITERS}) AS waiting`, []);

const TAKEN = `SELECT 1 FROM emails WHERE status = 'queued' AND "leasedUntil" IS NOT NULL`;
const SENT = `SELECT 1 FROM emails WHERE status = 'sent' AND "to" LIKE $1`;

interface Killing {
  readonly start: () => Promise<void>;
  readonly kill: () => void;
  /** Returns how many mails of the current test case the database shows as sent. */
  readonly sent: () => Promise<number>;
}

const atPhase =
  (wanted: Phase) =>
  async ({ start, kill }: Killing): Promise<void> => {
    let isReached = false;
    smtp.fault = (_recipient, phase) => {
      if (phase === wanted) kill();
      isReached ||= phase === wanted;
      return null;
    };
    await start();
    await until(() => isReached);
  };

/** The number of mails of one distributor that a worker sends at the same time. */
const TOGETHER = 2;
const LONG_MAIL = `<p>${'Pick-up is at noon. '.repeat(9_000)}</p>`;
/**
 * The moments at which the test kills a worker. `mayDoubt` marks the moments after the worker has begun to send the body of a mail. The
 * outcome of a mail may then be unknown.
 */
const MOMENTS: readonly {
  moment: string;
  mails?: number;
  html?: string;
  mayDoubt?: true;
  reach: (killing: Killing) => Promise<unknown>;
}[] = [
  {
    moment: 'before it takes any',
    reach: ({ start, kill }) => whileLocked('emails', async () => (await start(), await waitForLockWaiters(testApp.db), kill())),
  },
  {
    moment: 'when it has taken them',
    reach: ({ start, kill }) =>
      whileLocked('users', async () => {
        await start();
        await until(async () => (await run(testApp.db, TAKEN, [])).length === TOGETHER);
        kill();
      }),
  },
  { moment: 'while it connects', reach: atPhase('connect') },
  { moment: 'after MAIL FROM', reach: atPhase('mail') },
  { moment: 'after RCPT TO', reach: atPhase('rcpt') },
  { moment: 'within the body', html: LONG_MAIL, mayDoubt: true, reach: atPhase('data') },
  { moment: 'between the body and the answer', mayDoubt: true, reach: atPhase('body') },
  {
    moment: 'between the answer and the row',
    mayDoubt: true,
    reach: async ({ start, kill }) => {
      const locked = Promise.withResolvers<void>();
      smtp.held = locked.promise;
      await start();
      await until(() => smtp.taken.filter(({ raw }) => raw.includes('between the answer and the row')).length === TOGETHER);
      await whileLocked('emails', async () => {
        locked.resolve();
        await waitForLockWaiters(testApp.db);
        kill();
        await cutWaiting();
      });
    },
  },
  {
    moment: 'when some mails are sent and the next ones have arrived',
    mails: 10,
    mayDoubt: true,
    reach: async ({ start, kill, sent }) => {
      const before = smtp.taken.length;
      smtp.slowness = 2000;
      await start();
      await until(async () => (await sent()) === TOGETHER && smtp.taken.length === before + 2 * TOGETHER);
      kill();
    },
  },
  {
    moment: 'while nothing is due',
    reach: async ({ start, kill, sent }) => {
      await start();
      await until(async () => (await sent()) === 5);
      await pause(300);
      kill();
    },
  },
];

async function queueMails(count: number, { subject, html, at }: { subject: string; html: string; at: string }): Promise<void> {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const mail = { kind: 'bulk' as const, userId: customer.id, distributorId: distributor.id, subject, html };
  await enqueueAll(
    testApp.db,
    Array.from({ length: count }, (_, index) => ({ ...mail, to: `person${index}${at}` })),
  );
}

async function killAt({ moment, mails = 5, html = '<p>Hello</p>', reach }: (typeof MOMENTS)[number]) {
  const at = `@${moment.replaceAll(' ', '-').toLowerCase()}.example`;
  await queueMails(mails, { subject: moment, html, at });
  const workers: ChildProcess[] = [];
  const endings: Promise<unknown>[] = [];
  await reach({
    start: async () => {
      const worker = await startWorker();
      workers.push(worker);
      endings.push(once(worker, 'exit'));
    },
    kill: () => workers[0]?.kill('SIGKILL'),
    sent: async () => (await run(testApp.db, SENT, [`%${at}`])).length,
  });
  await Promise.all(endings);
  Object.assign(smtp, { fault: () => null, slowness: 0 });
  return { at, mails };
}

test(
  'when a worker is killed with SIGKILL at any of ten moments, no mail is lost or sent twice, and unknown outcomes are shown (contract §8)',
  { tags: ['long'] },
  async () => {
    const outbox = smtpOutbox(testApp, smtp.url);
    // The clock is moved forward by 30 minutes, so that every lease of a killed worker has ended.
    later(outbox, 30);
    for (const moment of sampleOf(MOMENTS, 4)) {
      const { at, mails } = await killAt(moment);
      await deliverAll(outbox);
      // The clock is moved forward by one minute, because a mail whose connection failed is sent again after half a minute.
      later(outbox, 1);
      await deliverAll(outbox);
      const rows = await testApp.db.selectFrom('emails').select(['to', 'status', 'success']).where('to', 'like', `%${at}`).execute();
      const unknown = rows.filter(({ status }) => status === 'unknown').length;
      const sent = rows.filter(({ status, success }) => status === 'sent' && success).length;
      expect([moment.moment, sent + unknown, rows.length]).toEqual([moment.moment, mails, mails]);
      expect([moment.moment, unknown > 0, unknown <= 5]).toEqual([moment.moment, moment.mayDoubt === true, true]);
    }
    expect(MOMENTS).toHaveLength(10);
    expect(await deliverDue(outbox)).toBe(0);
    outbox.transport.close();
    const taken = smtp.taken.map(({ recipients }) => recipients[0]);
    expect(new Set(taken).size).toBe(taken.length);
    const sent = await testApp.db.selectFrom('emails').select('to').where('status', '=', 'sent').execute();
    expect(sent.filter(({ to }) => !taken.includes(to))).toEqual([]);
  },
);

test('a worker that gets SIGTERM finishes the mails that it is sending, so that no outcome is unknown', { tags: ['long'] }, async () => {
  const at = '@customers.example';
  await queueMails(30, { subject: 'Orders are open', html: '<p>Hello</p>', at });
  smtp.taken.length = 0;
  smtp.slowness = 50;
  const worker = await startWorker();
  const ended = once(worker, 'exit');
  await until(() => smtp.taken.length >= 3);
  worker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const sent = await testApp.db
    .selectFrom('emails')
    .select('status')
    .where('to', 'like', `%${at}`)
    .where('status', '<>', 'queued')
    .execute();
  expect(sent.filter(({ status }) => status !== 'sent')).toEqual([]);
  expect(sent.length).toBe(smtp.taken.length);
});
