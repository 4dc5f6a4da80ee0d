// These tests check that a mail which the mail server accepts slowly occupies only its own place in the worker (reliability abuse).
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { later, testOutbox, type TestOutbox } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { enqueueAll, type NewMail } from './outbox.ts';
import { startOutbox, type Renderers } from './outbox-worker.ts';

const testApp = setupTestApp();
let distributors: Person[];
let customers: Person[];
beforeAll(async () => {
  distributors = await Promise.all(Array.from({ length: 3 }, () => makeDistributor(testApp.db)));
  customers = await Promise.all(distributors.map((distributor) => makeCustomer(testApp.db, distributor)));
});
beforeEach(() => testApp.db.deleteFrom('emails').execute());

const KINDS = ['reset', 'join', 'bulk'] as const;
type Kind = (typeof KINDS)[number];

/** Queues mails of a kind for a distributor. Each address contains the kind and the number of the distributor. */
async function queue(
  kind: Kind,
  place: number,
  { speed, count }: { speed: 'unrendered' | 'slow' | 'fast'; count: number },
): Promise<string[]> {
  const addresses = Array.from({ length: count }, (_, index) => `${speed}-${kind}-${place}-${index}@test.example`);
  const distributorId = distributors[place]?.id ?? 0;
  const of = kind === 'join' ? { joinDistributorId: distributorId } : { distributorId, userId: customers[place]?.id ?? 0 };
  await enqueueAll(
    testApp.db,
    addresses.map((to): NewMail => ({ kind, to, ...of })),
  );
  return addresses;
}

/**
 * Starts a worker with a mail server that accepts the mails to slow addresses only after `accept` is called. The mails to unrendered
 * addresses are rendered only then.
 */
function startWorker() {
  const unrendered: string[] = [];
  const slow: string[] = [];
  const sent: string[] = [];
  const accepted = Promise.withResolvers<void>();
  const outbox: TestOutbox = testOutbox(testApp, {
    async send({ to }, { begin, signal }) {
      if (to.startsWith('slow')) {
        slow.push(to);
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
        await Promise.race([accepted.promise, aborted]);
        if (signal.aborted) return { status: 'again', response: 'Aborted' };
      }
      await begin();
      sent.push(to);
      return { status: 'sent', response: '250' };
    },
    close: () => undefined,
  });
  const render: Renderers[Kind] = async ({ mail: { to } }) => {
    if (to.startsWith('unrendered')) {
      unrendered.push(to);
      await accepted.promise;
    }
    return { to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  };
  const worker = startOutbox({
    ...outbox,
    now: () => outbox.time,
    renderers: { ...outbox.renderers, reset: render, join: render, bulk: render },
  });
  onTestFinished(async () => {
    accepted.resolve();
    await worker.stop();
    expect(new Set(sent).size, 'no mail is sent twice').toBe(sent.length);
    expect(outbox.errors).toEqual([]);
  });
  return { outbox, worker, unrendered, slow, sent, accept: () => accepted.resolve() };
}

const minutesAfter = ({ time }: TestOutbox, minutes: number): string => new Date(time.getTime() + minutes * 60_000).toISOString();
const rowOf = (to: string) => testApp.db.selectFrom('emails').selectAll().where('to', '=', to).executeTakeFirstOrThrow();

describe('while the mail server accepts mails slowly, a worker', () => {
  test.each(KINDS)(
    'sends mails of the other groups and of the same distributors, if the slow mails are of the group %s (reliability abuse)',
    { tags: ['long'] },
    async (kind) => {
      for (const place of [0, 1]) await queue(kind, place, { speed: 'slow', count: 20 });
      const { slow, sent } = startWorker();
      await expect.poll(() => slow.length).toBe(3);
      const others = KINDS.filter((other) => other !== kind);
      const fast = await Promise.all(others.flatMap((other) => [0, 1].map((place) => queue(other, place, { speed: 'fast', count: 3 }))));
      await expect.poll(() => sent.toSorted(), { timeout: 20_000 }).toEqual(fast.flat().toSorted());
      expect(slow).toHaveLength(3);
    },
  );

  test(
    'sends mails of other distributors in every group, if the slow mails are of one distributor (reliability abuse)',
    { tags: ['long'] },
    async () => {
      for (const kind of KINDS) await queue(kind, 0, { speed: 'slow', count: 20 });
      const { slow, sent } = startWorker();
      await expect.poll(() => slow.length).toBe(3);
      const fast = await Promise.all(KINDS.flatMap((kind) => [1, 2].map((place) => queue(kind, place, { speed: 'fast', count: 3 }))));
      await expect.poll(() => sent.toSorted(), { timeout: 20_000 }).toEqual(fast.flat().toSorted());
      expect(slow).toHaveLength(3);
    },
  );

  test(
    'sends mails of other distributors in the same group, if the slow mails are join mails of one distributor (reliability abuse)',
    { tags: ['long'] },
    async () => {
      await queue('join', 0, { speed: 'slow', count: 60 });
      const { slow, sent } = startWorker();
      await expect.poll(() => slow.length).toBe(2);
      const fast = await queue('join', 1, { speed: 'fast', count: 3 });
      await expect.poll(() => sent.toSorted(), { timeout: 20_000 }).toEqual(fast);
      expect(slow).toHaveLength(2);
    },
  );

  test(
    'sends mails of other distributors in every group, also if the mails of one distributor take long to be rendered (reliability abuse)',
    { tags: ['long'] },
    async () => {
      for (const kind of KINDS) await queue(kind, 0, { speed: 'unrendered', count: 20 });
      const { unrendered, sent } = startWorker();
      await expect.poll(() => unrendered.length).toBe(3);
      const fast = await Promise.all(KINDS.flatMap((kind) => [1, 2].map((place) => queue(kind, place, { speed: 'fast', count: 3 }))));
      await expect.poll(() => sent.toSorted(), { timeout: 20_000 }).toEqual(fast.flat().toSorted());
      expect(unrendered).toHaveLength(3);
    },
  );

  test('does not claim a slow mail again when its claim has expired, and sends it once', async () => {
    const [to = ''] = await queue('join', 0, { speed: 'slow', count: 1 });
    const { outbox, slow, sent, accept } = startWorker();
    await expect.poll(() => slow).toEqual([to]);
    later(outbox, 3);
    const [other = ''] = await queue('join', 0, { speed: 'fast', count: 1 });
    await expect.poll(() => sent).toEqual([other]);
    accept();
    await expect.poll(async () => (await rowOf(to)).status).toBe('sent');
    expect([slow, sent, (await rowOf(to)).attempts]).toEqual([[to], [other, to], 1]);
  });

  test('keeps its claim on a slow mail for minutes, so that another worker does not claim it, and it is sent in one attempt (reliability abuse)', async () => {
    const [to = ''] = await queue('reset', 0, { speed: 'slow', count: 1 });
    const { outbox, slow, accept } = startWorker();
    await expect.poll(() => slow).toEqual([to]);
    const other = startWorker();
    for (let minute = 1; minute <= 4; minute++) {
      later(outbox, 1);
      later(other.outbox, 1);
      await expect
        .poll(async () => other.slow.length > 0 || (await rowOf(to)).leasedUntil, { timeout: 10_000 })
        .toBe(minutesAfter(outbox, 2));
    }
    expect([slow, other.slow]).toEqual([[to], []]);
    accept();
    await expect.poll(() => rowOf(to)).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('that is stopped waits for a slow mail that is accepted soon', async () => {
    const [to = ''] = await queue('bulk', 0, { speed: 'slow', count: 1 });
    const { worker, slow, accept } = startWorker();
    await expect.poll(() => slow).toEqual([to]);
    const stopped = worker.stop();
    accept();
    await stopped;
    expect(await rowOf(to)).toMatchObject({ status: 'sent', attempts: 1, leasedUntil: null });
  });

  test('that is stopped aborts a slow mail after some seconds, so that it is sent later', async () => {
    const [to = ''] = await queue('bulk', 0, { speed: 'slow', count: 1 });
    const { worker, slow } = startWorker();
    await expect.poll(() => slow).toEqual([to]);
    await worker.stop();
    expect(await rowOf(to)).toMatchObject({ status: 'queued', attempts: 1, leasedUntil: null });
  });
});
