import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { deliverAll, later, smtpOutbox, type TestOutbox } from '../../../test/mail/outbox.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { startSmtp, type Fault, type Phase, type Smtp } from '../../../test/mail/smtp-server.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { claimDue, newRoundRobin } from './outbox-rows.ts';
import { enqueueAll } from './outbox.ts';
import { deliverDue } from './outbox-worker.ts';

const testApp = setupTestApp();
let smtp: Smtp;
let outbox: TestOutbox;
let distributor: Person;
let customer: Person;

beforeAll(async () => {
  smtp = await startSmtp();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});
afterAll(() => smtp.stop());
beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  Object.assign(smtp, { fault: () => null, slowness: 0 });
  smtp.taken.length = 0;
  outbox = smtpOutbox(testApp, smtp.url);
});
afterEach(() => outbox.transport.close());

const addressOf = (index: number): string => `person${index}@test.example`;

async function blast(count: number): Promise<void> {
  const mail = { kind: 'bulk' as const, userId: customer.id, distributorId: distributor.id, subject: 'Hello', html: '<p>Hello</p>' };
  await enqueueAll(
    testApp.db,
    Array.from({ length: count }, (_, index) => ({ ...mail, to: addressOf(index) })),
  );
}

const states = async () => {
  const rows = await testApp.db.selectFrom('emails').select(['status', 'success']).execute();
  const byState = Map.groupBy(rows, (row) => (row.success ? `${row.status}, success` : row.status));
  return Object.fromEntries([...byState].map(([state, of]) => [state, of.length]));
};
const onlyRow = () => testApp.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
const takenBy = () => smtp.taken.flatMap(({ recipients }) => recipients).toSorted((a, b) => a.localeCompare(b));
const doubled = () => takenBy().filter((address, index, all) => address === all[index - 1]);

/** Lets only the first attempt for each recipient fail. */
function once(faults: (recipient: string) => Fault | null): void {
  const had = new Set<string>();
  const isOf = (fault: Fault, phase: Phase): boolean => (/rcpt/i.test(fault) ? phase === 'rcpt' : phase === 'body');
  smtp.fault = (recipient, phase) => {
    const fault = had.has(recipient) ? null : faults(recipient);
    if (fault && isOf(fault, phase)) had.add(recipient);
    return fault && isOf(fault, phase) ? fault : null;
  };
}

describe('an outbox mail', () => {
  test('that the mail server accepts gets the state "sent", with the server\'s response and the time (contract §8)', async () => {
    await blast(1);
    await deliverAll(outbox);
    expect(await onlyRow()).toMatchObject({
      status: 'sent',
      success: true,
      attempts: 1,
      sentAt: outbox.time.toISOString(),
      leasedUntil: null,
    });
    expect((await onlyRow()).response).toMatch(/^250/);
  });

  test.each([
    ['rcpt451', '451'],
    ['body451', '451'],
    ['body421', '421'],
    ['rcpt421', '421'],
    ['mail421', '421'],
    ['mail451', '451'],
    ['connect421', '421'],
    ['connect550', '550'],
  ] as const)(
    'that the mail server refuses temporarily (simulated fault %s) is sent at the next attempt, and not more than once',
    async (fault, code) => {
      await blast(1);
      smtp.fault = () => fault;
      await deliverDue(outbox);
      const row = await onlyRow();
      expect(row).toMatchObject({ status: 'queued', success: false, attempts: 1, sentAt: null });
      expect(row.response).toContain(code);
      smtp.fault = () => null;
      expect(await deliverDue(outbox)).toBe(0);
      later(outbox, 0.6);
      await deliverAll(outbox);
      expect(await onlyRow()).toMatchObject({ status: 'sent', attempts: 2 });
      expect(takenBy()).toEqual([addressOf(0)]);
    },
  );

  test.each(['mail550', 'rcpt550', 'body550'] as const)(
    'that the mail server refuses permanently (simulated fault %s) gets the state "failed" with the reason, without another attempt',
    async (fault) => {
      await blast(1);
      smtp.fault = () => fault;
      await deliverDue(outbox);
      later(outbox, 2000);
      expect(await deliverDue(outbox)).toBe(0);
      expect(await onlyRow()).toMatchObject({ status: 'failed', success: false, sentAt: null });
      expect((await onlyRow()).response).toContain('550');
    },
  );

  test('whose connection is lost before the body is sent is tried again', async () => {
    await blast(1);
    smtp.fault = () => 'dropAtRcpt';
    await deliverDue(outbox);
    expect(await onlyRow()).toMatchObject({ status: 'queued', attempts: 1 });
    smtp.fault = () => null;
    later(outbox, 1);
    await deliverAll(outbox);
    expect([(await onlyRow()).status, takenBy()]).toEqual(['sent', [addressOf(0)]]);
  });

  test('whose connection is lost within the body is tried again if the end of the body cannot have been sent; otherwise it gets the state "unknown"', async () => {
    await blast(1);
    smtp.fault = () => 'dropInBody';
    await deliverDue(outbox);
    const isUnknown = (await onlyRow()).status === 'unknown';
    smtp.fault = () => null;
    later(outbox, 1);
    await deliverAll(outbox);
    expect([(await onlyRow()).status, takenBy()]).toEqual(isUnknown ? ['unknown', []] : ['sent', [addressOf(0)]]);
  });

  test('whose connection is lost after the body gets the state "unknown", and is sent again only on a person\'s request (contract §8)', async () => {
    await blast(1);
    smtp.fault = () => 'dropAfterBody';
    await deliverDue(outbox);
    smtp.fault = () => null;
    later(outbox, 3000);
    expect(await deliverDue(outbox)).toBe(0);
    expect([(await onlyRow()).status, takenBy()]).toEqual(['unknown', [addressOf(0)]]);
  });

  test('that finds no connection to the mail server is tried again after delays of half a minute up to an hour, and gets the state "failed" after a day (contract §8)', async () => {
    await blast(1);
    await smtp.stop();
    const delays: number[] = [];
    for (let row = await onlyRow(); row.status === 'queued'; row = await onlyRow()) {
      outbox.time = new Date(Math.max(Date.parse(row.nextAttemptAt), outbox.time.getTime()));
      await deliverDue(outbox);
      delays.push((Date.parse((await onlyRow()).nextAttemptAt) - outbox.time.getTime()) / 60_000);
    }
    await smtp.start();
    expect(delays.slice(0, 8)).toEqual([0.5, 1, 2, 5, 10, 30, 60, 60]);
    const hours = delays.slice(0, -1).reduce((sum, delay) => sum + delay, 0) / 60;
    expect([Math.round(hours), (await onlyRow()).status]).toEqual([24, 'failed']);
    expect((await onlyRow()).response).toMatch(/^Given up after a day of attempts: .*ECONNREFUSED/);
  });
});

test('the outbox worker delivers 500 queued mails exactly once after the mail server is available again (contract §8)', async () => {
  await blast(500);
  await smtp.stop();
  for (let minute = 0; minute < 10; minute++) {
    await deliverDue(outbox);
    later(outbox, 1);
  }
  expect(await states()).toEqual({ queued: 500 });
  await smtp.start();
  later(outbox, 10);
  await deliverAll(outbox);
  expect(await states()).toEqual({ 'sent, success': 500 });
  expect(new Set(takenBy()).size).toBe(500);
  expect(smtp.taken.filter(({ recipients }) => recipients.length !== 1)).toEqual([]);
  expect(smtp.taken).toHaveLength(500);
  expect(smtp.connections).toBeLessThan(100);
});

test(
  'two workers lose and duplicate no mail when the mail server stops during 500 mails, and few mails get the state "unknown" (contract §8)',
  { tags: ['long'] },
  async () => {
    const other = smtpOutbox(testApp, smtp.url);
    await blast(500);
    smtp.slowness = 2;
    let goes: Promise<void> | undefined;
    smtp.fault = () => {
      if (smtp.taken.length >= 150) goes ??= smtp.stop();
      return null;
    };
    const send = (): Promise<unknown> => Promise.all([deliverAll(outbox), deliverAll(other)]);
    await send();
    await goes;
    await smtp.start();
    smtp.fault = () => null;
    for (const minutes of [1, 1, 1]) {
      later(outbox, minutes);
      later(other, minutes);
      await send();
    }
    other.transport.close();
    const { 'sent, success': sent = 0, unknown = 0, ...rest } = await states();
    expect([rest, sent + unknown, doubled()]).toEqual([{}, 500, []]);
    expect(unknown).toBeLessThanOrEqual(10);
    const rows = await testApp.db.selectFrom('emails').select('to').where('status', '=', 'sent').execute();
    const taken = new Set(takenBy());
    expect(rows.filter(({ to }) => !taken.has(to))).toEqual([]);
  },
);

test(
  '150 mails with faults in every phase of the delivery: none is lost or duplicated, and each has a visible state',
  { tags: ['long'] },
  async () => {
    const ten = iterations(15, 100);
    const faults = ['rcpt451', 'body451', 'body421', 'dropAtRcpt', 'dropAfterBody', 'rcpt550', 'body550', 'rcpt421', null, null] as const;
    await blast(10 * ten);
    once((recipient) => faults[Number(/\d+/.exec(recipient)?.[0] ?? 7) % 10] ?? null);
    for (const minutes of [0, 1, 2]) {
      later(outbox, minutes);
      await deliverAll(outbox);
    }
    expect(await states()).toEqual({ 'sent, success': 7 * ten, failed: 2 * ten, unknown: ten });
    expect(doubled()).toEqual([]);
    expect(smtp.taken).toHaveLength(8 * ten);
  },
);

test('two concurrent workers send each mail once', async () => {
  const other = smtpOutbox(testApp, smtp.url);
  smtp.slowness = 3;
  await blast(120);
  await Promise.all([deliverAll(outbox), deliverAll(other), deliverAll(outbox)]);
  other.transport.close();
  expect(await states()).toEqual({ 'sent, success': 120 });
  expect([smtp.taken.length, doubled()]).toEqual([120, []]);
});

test('the next worker sends a mail that another worker claimed but never began to send, once the lease on the mail has expired', async () => {
  await blast(2);
  const until = new Date(outbox.time.getTime() + 120_000);
  expect(await claimDue(testApp.db, newRoundRobin(), { now: outbox.time, until, sending: [] })).toHaveLength(2);
  expect(await deliverDue(outbox)).toBe(0);
  expect(await states()).toEqual({ queued: 2 });
  later(outbox, 3);
  await deliverAll(outbox);
  expect(await states()).toEqual({ 'sent, success': 2 });
});

test('a worker whose claim another worker has taken over sends nothing', async () => {
  await blast(1);
  const slow = {
    ...outbox,
    renderers: {
      ...outbox.renderers,
      bulk: async (writing: Parameters<typeof outbox.renderers.bulk>[0]) => {
        later(outbox, 3);
        await deliverAll(outbox);
        return await outbox.renderers.bulk(writing);
      },
    },
  };
  await deliverDue(slow);
  expect([await states(), takenBy()]).toEqual([{ 'sent, success': 1 }, [addressOf(0)]]);
});

test('a mail that a killed worker was sending gets the state "unknown"', async () => {
  await blast(1);
  await testApp.db.updateTable('emails').set({ status: 'sending', leasedUntil: outbox.time.toISOString() }).execute();
  expect(await deliverDue(outbox)).toBe(0);
  expect((await onlyRow()).status).toBe('sending');
  later(outbox, 0.1);
  await deliverDue(outbox);
  expect(await onlyRow()).toMatchObject({ status: 'unknown', response: expect.stringContaining('Nobody knows whether it arrived') });
});

test('a mail that cannot be rendered does not delay other mails', async () => {
  await blast(2);
  const failing = {
    ...outbox,
    renderers: {
      ...outbox.renderers,
      bulk: (writing: Parameters<typeof outbox.renderers.bulk>[0]) =>
        writing.mail.to === addressOf(0) ? Promise.reject(new Error('no such thing')) : outbox.renderers.bulk(writing),
    },
  };
  await deliverDue(failing);
  expect(await states()).toEqual({ queued: 1, 'sent, success': 1 });
  expect(outbox.errors).toMatchObject([{ message: 'no such thing' }]);
});

test('the outbox worker sends mails that people wait for before bulk mail', async () => {
  await blast(8);
  await enqueueAll(testApp.db, [{ kind: 'reset', userId: customer.id }]);
  await deliverDue(outbox);
  expect(takenBy()).toContain(customer.email);
});
