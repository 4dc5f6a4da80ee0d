// Tests the queue of writes with the real application, over a network that loses requests and responses (contract §14).
import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../../test/data/order-rows.ts';
import { mulberry32 } from '../../../domain/rehearsal/seeded-random.ts';
import { iterations } from '../../../../test/setup/iterations.ts';
import { SEED } from '../../../../test/setup/sampling.ts';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { CallError, NetworkError, type Call } from '../../../client/api/fetch.ts';
import { cents } from '../../../domain/money.ts';
import type { Row } from '../../../server/database/schema.ts';
import { addWrites, changeRefused, closeCounterDb, DB_NAME, readWrites, withdrawWrite } from './counter-db.ts';
import { sendWrites } from './send-writes.ts';
import type { NewWrite, QueuedWrite, Write } from './writes.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let made = 0;

beforeEach(async () => {
  await closeCounterDb();
  await deleteDB(DB_NAME);
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_price: cents(1000), unit_qty_is_estimate: true });
});

const order = async (units = 1) =>
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, units]]);
const queued = (orderId: number, write: Write): NewWrite => ({
  key: `key-${(made += 1)}`,
  userId: distributor.id,
  role: 'distributor',
  distributionId: distribution.id,
  orderId,
  at: new Date().toISOString(),
  write,
});
const weight = (orderProductId: number, index: number, value: number): Write => ({
  kind: 'weight',
  orderProductId,
  index,
  weight: value,
  was: null,
});
const cash = (amount: number): Write => ({
  kind: 'payment',
  amount: cents(amount),
  feeAmount: cents(0),
  paymentMethod: 'Cash',
  description: null,
});
const amounts = async (orderId: number): Promise<number[]> =>
  (await testApp.db.selectFrom('payments').select('amount').where('orderId', '=', orderId).orderBy('id').execute()).map(({ amount }) =>
    Number(amount),
  );
async function firstWrite(): Promise<QueuedWrite> {
  const [first] = await readWrites();
  if (!first) throw new Error('the queue is empty');
  return first;
}
const states = async (): Promise<(string | undefined)[][]> => (await readWrites()).map(({ status, reason }) => [status, reason]);

const random = mulberry32(SEED);
const FAMILIES = iterations(12, 200);

/** Loses three in ten requests before they reach the server, and three in ten responses. */
function flaky(call: Call): Call {
  return (async (...args: Parameters<Call>) => {
    const fate = random();
    if (fate < 0.3) throw new NetworkError('lost');
    const reply = await call(...args);
    if (fate < 0.6) throw new NetworkError('lost');
    return reply;
  }) as Call;
}

const send = (call: Call, { id: userId }: Person = distributor): Promise<void> =>
  sendWrites({ call, userId, onChange: () => undefined, isOn: () => true });

/** The network loses the responses of this call. */
const withoutResponses = (call: Call): Call =>
  ((...args: Parameters<Call>) => call(...args).then(() => Promise.reject(new NetworkError('lost')))) as Call;

async function sendUntilDone(call: Call): Promise<void> {
  for (;;) {
    try {
      return await send(call);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
  }
}

describe('the queue of the counter (contract §14)', () => {
  test('leads to exactly one record of each write, even when requests and responses are lost', async () => {
    const families = await Promise.all(Array.from({ length: FAMILIES }, () => order(2)));
    for (const { id, lines } of families) {
      const line = lines[0]?.id ?? 0;
      await addWrites(
        [weight(line, 0, 4.5), weight(line, 1, 5.5), cash(10_000), { kind: 'picked-up', pickedUp: true } as const].map((write) =>
          queued(id, write),
        ),
      );
    }
    await sendUntilDone(flaky(await testApp.as(distributor)));
    expect(new Set((await states()).map(([status]) => status))).toEqual(new Set(['sent']));
    for (const { id } of families) expect(await amounts(id)).toEqual([10_000]);
    const marked = await testApp.db
      .selectFrom('orders')
      .select('id')
      .where('pickedUpAt', 'is not', null)
      .where('distributionId', '=', distribution.id)
      .execute();
    expect(marked).toHaveLength(FAMILIES);
    const trail = await testApp.db.selectFrom('order_audit').select('id').where('distributionId', '=', distribution.id).execute();
    expect(trail).toHaveLength(FAMILIES);
  });

  test('is read twice for any number of writes, not once for each write', async () => {
    const { id } = await order();
    const marks = Array.from({ length: 20 }, (_, index) => queued(id, { kind: 'picked-up', pickedUp: index % 2 === 0 }));
    await addWrites(marks);
    const reads = vi.spyOn(IDBObjectStore.prototype, 'getAll');
    await sendUntilDone(await testApp.as(distributor));
    // The queue is read twice: once to get all writes, and once more to find that no write was added meanwhile.
    expect(reads).toHaveBeenCalledTimes(2);
    reads.mockRestore();
    expect(new Set((await states()).map(([status]) => status))).toEqual(new Set(['sent']));
  });

  test('leads to only one payment when two stations pay the same order; the server refuses the other payment', async () => {
    const { id, lines } = await order();
    const other = await testApp.as(distributor);
    await addWrites([weight(lines[0]?.id ?? 0, 0, 5), cash(5000)].map((write) => queued(id, write)));
    await sendUntilDone(other);
    // The second device has its own queue and still shows the balance from before the payment.
    await closeCounterDb();
    await deleteDB(DB_NAME);
    await addWrites([queued(id, cash(5000))]);
    await sendUntilDone(await testApp.as(distributor));
    expect(await states()).toEqual([['refused', 'The payment is above the balance: $0.00.']]);
    expect(await amounts(id)).toEqual([5000]);
  });

  test('sends the remaining writes in sequence after the server has refused one write', async () => {
    const { id, lines } = await order();
    await addWrites([queued(id, cash(5000)), queued(id, weight(lines[0]?.id ?? 0, 0, 5)), queued(id, cash(5000))]);
    await sendUntilDone(await testApp.as(distributor));
    expect(await states()).toEqual([
      ['refused', 'Are all the weights entered?'],
      ['sent', undefined],
      ['sent', undefined],
    ]);
  });

  test('reverses a payment that was recorded through the same queue before', async () => {
    const { id, lines } = await order();
    const payment = queued(id, cash(5000));
    const reversal: Write = { kind: 'reversal', paymentKey: payment.key, amount: cents(5000), feeAmount: cents(0), paymentMethod: 'Cash' };
    await addWrites([queued(id, weight(lines[0]?.id ?? 0, 0, 5)), payment, queued(id, reversal)]);
    await sendUntilDone(flaky(await testApp.as(distributor)));
    expect(await amounts(id)).toEqual([5000, -5000]);
  });

  test('stores the id of a payment before it sends the next write, so that a read in between does not show the payment twice', async () => {
    const { id, lines } = await order();
    const [paid, mark] = [queued(id, cash(5000)), queued(id, { kind: 'picked-up', pickedUp: true })];
    await addWrites([queued(id, weight(lines[0]?.id ?? 0, 0, 5)), paid, mark]);
    const call = await testApp.as(distributor);
    const ids: (number | undefined)[] = [];
    const watched = (async (...args: Parameters<Call>) => {
      ids.push((await readWrites()).find(({ key }) => key === paid.key)?.paymentId);
      return await call(...args);
    }) as Call;
    await sendUntilDone(watched);
    expect(ids).toEqual([undefined, undefined, expect.any(Number)]);
  });

  test('ignores the reversal of a payment that the server refused, and refuses the reversal of an unknown payment', async () => {
    const { id } = await order();
    const payment = queued(id, cash(5000));
    const reversal = (paymentKey: string): Write => ({
      kind: 'reversal',
      paymentKey,
      amount: cents(5000),
      feeAmount: cents(0),
      paymentMethod: 'Cash',
    });
    await addWrites([payment, queued(id, reversal(payment.key)), queued(id, reversal('sent again under another key'))]);
    await sendUntilDone(await testApp.as(distributor));
    await addWrites([queued(id, reversal(payment.key))]);
    await sendUntilDone(await testApp.as(distributor));
    expect(await states()).toEqual([
      ['refused', 'Are all the weights entered?'],
      ['sent', undefined],
      ['refused', expect.stringContaining('does not know the payment')],
      ['sent', undefined],
    ]);
  });

  test('keeps the writes behind a failed write unsent, so that Undo can still withdraw them', async () => {
    const { id } = await order();
    await addWrites([true, false, true].map((pickedUp) => queued(id, { kind: 'picked-up', pickedUp })));
    const lost = (() => Promise.reject(new NetworkError('lost'))) as Call;
    await expect(send(lost)).rejects.toThrow('lost');
    const writes = await readWrites();
    expect(writes.map(({ status }) => status)).toEqual(['sending', 'waiting', 'waiting']);
    expect(writes.map(({ firstSentAt }) => firstSentAt !== undefined)).toEqual([true, false, false]);
  });

  test('lets the user change a refused write, but not after another tab has sent the write again', async () => {
    const { id } = await order();
    await addWrites([queued(id, cash(5000))]);
    await sendUntilDone(await testApp.as(distributor));
    const refused = await firstWrite();
    expect(await changeRefused(refused, (write) => ({ ...write, status: 'waiting' }))).toBe(true);
    expect(await changeRefused(refused, () => null)).toBe(false);
    expect((await states()).map(([status]) => status)).toEqual(['waiting']);
  });

  test('keeps a write waiting when a proxy refuses it, because the server may have recorded an earlier attempt', async () => {
    const { id } = await order();
    await addWrites([queued(id, { kind: 'picked-up', pickedUp: true })]);
    const server = await testApp.as(distributor);
    const proxy = (() => Promise.reject(new CallError(404, '404 page not found', false))) as Call;
    await expect(send(withoutResponses(server))).rejects.toThrow('lost');
    await expect(send(proxy)).rejects.toThrow('404');
    expect(await states()).toEqual([['sending', undefined]]);
    await send(server);
    expect(await states()).toEqual([['sent', undefined]]);
  });

  test('keeps all writes when the session has ended, and sends no writes of another user', async () => {
    const { id } = await order();
    await addWrites([queued(id, { kind: 'picked-up', pickedUp: true }), { ...queued(id, cash(1)), userId: distributor.id + 1 }]);
    await expect(send(await testApp.as(null))).rejects.toThrow(CallError);
    expect((await states()).map(([status]) => status)).toEqual(['waiting', 'waiting']);
    await sendUntilDone(await testApp.as(distributor));
    expect((await states()).map(([status]) => status)).toEqual(['sent', 'waiting']);
  });

  test('keeps a write waiting when the server refuses it because another user has signed in', async () => {
    const { id } = await order();
    await addWrites([queued(id, { kind: 'picked-up', pickedUp: true })]);
    const isPickedUp = async () =>
      (await testApp.db.selectFrom('orders').select('pickedUpAt').where('id', '=', id).executeTakeFirstOrThrow()).pickedUpAt !== null;
    await expect(send(await testApp.as(await makeAgent(testApp.db, distributor)))).rejects.toMatchObject({ status: 401 });
    expect([(await states()).map(([status]) => status), await isPickedUp()]).toEqual([['waiting'], false]);
    await sendUntilDone(await testApp.as(distributor));
    expect([(await states()).map(([status]) => status), await isPickedUp()]).toEqual([['sent'], true]);
  });

  test.each([
    ['a day after its first attempt', -24 * 3_600_000],
    ['after the clock of the device was set back to a time before the first attempt', 2 * 60_000],
  ])(
    'does not send a write again %s, because its idempotency key may have expired and it could be recorded twice',
    async (_, difference) => {
      const { id, lines } = await order();
      await weigh(testApp.db, lines[0], [5], distributor);
      const firstSentAt = new Date(Date.now() + difference).toISOString();
      await addWrites([{ ...queued(id, cash(5000)), firstSentAt }]);
      await sendUntilDone(await testApp.as(distributor));
      expect(await states()).toEqual([['refused', expect.stringContaining('may be recorded already')]]);
      expect(await amounts(id)).toEqual([]);
    },
  );

  test('neither withdraws nor reverses a refused payment that the server may have recorded, whatever reason for the refusal is stored', async () => {
    const { id } = await order();
    const payment = { ...queued(id, cash(5000)), firstSentAt: new Date(Date.now() - 24 * 3_600_000).toISOString() };
    await addWrites([payment]);
    await sendUntilDone(await testApp.as(distributor));
    await changeRefused(await firstWrite(), (write) => ({ ...write, reason: 'The text of another version.' }));
    expect(await withdrawWrite(payment.key)).toBe(false);
    const paid = { paymentKey: payment.key, amount: cents(5000), feeAmount: cents(0), paymentMethod: 'Cash' as const };
    await addWrites([queued(id, { kind: 'reversal', ...paid })]);
    await sendUntilDone(await testApp.as(distributor));
    expect((await states())[1]).toEqual(['refused', expect.stringContaining('does not know the payment')]);
  });

  test('tells an agent who may no longer take payments that a payment without a response may have been recorded', async () => {
    const { id, lines } = await order();
    await weigh(testApp.db, lines[0], [5], distributor);
    const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
    await addWrites([{ ...queued(id, cash(5000)), userId: agent.id, role: 'agent' }]);
    const call = await testApp.as(agent);
    await expect(send(withoutResponses(call), agent)).rejects.toThrow('lost');
    await testApp.db.updateTable('users').set({ mayTakePayments: false }).where('id', '=', agent.id).execute();
    await send(call, agent);
    expect(await states()).toEqual([['refused', expect.stringContaining('may be recorded already')]]);
    expect(await amounts(id)).toEqual([5000]);
  });
});
