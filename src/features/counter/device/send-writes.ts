// Sends the queued writes one after the other. Each write has its own Idempotency-Key, so that the server executes it only once even if it
// is sent twice (contract §14).
import { CallError, isFinal, type Call } from '../../../client/api/fetch.ts';
import { previousValueKey, unitKey } from '../../../domain/weights/actuals.ts';
import { removeWeight, saveActuals } from '../../actuals/contract.ts';
import { recordPayment, reversePayment } from '../../payments/contract.ts';
import { setPickedUp } from '../../pick-up/contract.ts';
import { OUTCOME_UNKNOWN, PAYMENT_UNKNOWN, UNDONE_AT_COUNTER } from '../texts.ts';
import { WRITE_TIMEOUT_MS } from '../requests/timeouts.ts';
import { changeWrites, readWritesOf, removeWrites } from './counter-db.ts';
import { isOutcomeUnknown, isRefused, isWaiting, type QueuedWrite } from './writes.ts';
import { HOUR, MINUTE } from '../../../domain/durations.ts';

interface Sent {
  readonly paymentId?: number;
}

async function send(call: Call, queued: QueuedWrite, paymentId: number | null): Promise<Sent> {
  const { write, orderId, userId, key: idempotencyKey } = queued;
  const params = { orderId };
  const sent = { idempotencyKey, userId, signal: AbortSignal.timeout(WRITE_TIMEOUT_MS) };
  switch (write.kind) {
    case 'weight': {
      const key = unitKey(write.orderProductId, write.index);
      await call(saveActuals, { params, body: { [key]: write.weight, [previousValueKey(key)]: write.was }, ...sent });
      return {};
    }
    case 'remove-weight': {
      const { orderProductId, index, was } = write;
      await call(removeWeight, { params, body: { orderProductId, index, was }, ...sent });
      return {};
    }
    case 'payment': {
      const { amount, feeAmount, paymentMethod, description, seenWeights } = write;
      const body = { amount, feeAmount, paymentMethod, description, ...(Object.keys(seenWeights ?? {}).length > 0 && { seenWeights }) };
      const payment = await call(recordPayment, { params, body, ...sent });
      return { paymentId: payment.id };
    }
    case 'reversal': {
      // The server refused the payment, so there is nothing to reverse.
      if (paymentId === null) return {};
      await call(reversePayment, { params: { orderId, paymentId }, body: { description: UNDONE_AT_COUNTER }, ...sent });
      return { paymentId };
    }
    case 'picked-up':
      await call(setPickedUp, { params, body: { pickedUp: write.pickedUp }, ...sent });
      return {};
  }
}

/**
 * The server keeps an Idempotency-Key for 24 hours. A write that is repeated after this time could be recorded twice. It is therefore
 * refused on the device, and the user decides what happens to it.
 */
const KEY_AGE = 23 * HOUR;
/** If a write was first sent later than now, the device's clock was set back since then, so the age of the key is unknown. */
const CLOCK_TOLERANCE = MINUTE;

export interface Sending {
  readonly call: Call;
  readonly userId: number;
  /** Called with the user's queue each time it was read: before the first write is sent, and after the last one. */
  readonly onRead?: (queue: readonly QueuedWrite[]) => void;
  /** Called after each change of the queue, with the number of writes that the server has just accepted. */
  readonly onChange: (accepted: number) => void;
  /** Whether the user is still signed in; after a sign-out nothing is read or sent any more. */
  readonly isOn: () => boolean;
}

/** Maps the key of a payment's write to the id of the recorded payment, or to null if the server refused the payment. */
type PaymentIds = Map<string, number | null>;

/**
 * How many writes get the status `sending` in one IndexedDB transaction. A transaction for each single write would take longer than the
 * request to the server.
 */
const BATCH = 10;

/**
 * Returns the writes up to the first payment, because the id of a recorded payment must be stored at once. Until the id is stored, a read
 * of the orders at the same time would show the payment twice.
 */
function untilPayment(batch: readonly QueuedWrite[]): readonly QueuedWrite[] {
  const payment = batch.findIndex(({ write: { kind } }) => kind === 'payment' || kind === 'reversal');
  return payment < 0 ? batch : batch.slice(0, payment + 1);
}

function mayKeyBeExpired({ firstSentAt }: QueuedWrite): boolean {
  if (firstSentAt === undefined) return false;
  const age = Date.now() - Date.parse(firstSentAt);
  return age > KEY_AGE || age < -CLOCK_TOLERANCE;
}

const GIVEN_UP: Partial<QueuedWrite> = { status: 'refused', reason: OUTCOME_UNKNOWN, mayBeRecorded: true };

/**
 * Sends one write and returns the changes to its queue entry: the write was sent or refused. `queued` is the entry as it was before this
 * attempt. Throws when the outcome is unknown and the write must be sent again.
 */
async function resultOf(call: Call, queued: QueuedWrite, paymentIds: PaymentIds): Promise<Partial<QueuedWrite>> {
  const { key, write } = queued;
  if (mayKeyBeExpired(queued)) return GIVEN_UP;
  const reversed = write.kind === 'reversal' ? (queued.paymentId ?? paymentIds.get(write.paymentKey)) : null;
  if (reversed === undefined) return { status: 'refused', reason: PAYMENT_UNKNOWN };
  try {
    const sent = await send(call, queued, reversed);
    if (sent.paymentId !== undefined) paymentIds.set(key, sent.paymentId);
    return { ...sent, status: 'sent' };
  } catch (error) {
    if (!isFinal(error)) throw error;
    // The server checks the permission before it looks for the response of an earlier attempt. The status 403 therefore leaves open whether
    // the earlier attempt was recorded.
    if (error.status === 403 && queued.firstSentAt !== undefined) return GIVEN_UP;
    if (write.kind === 'payment') paymentIds.set(key, null);
    return { status: 'refused', reason: error.text };
  }
}

async function sendBatch({ call, onChange, isOn }: Sending, waiting: readonly QueuedWrite[], paymentIds: PaymentIds): Promise<void> {
  /** The writes that have not been sent yet, each as it was stored before `sendBatch` was called. */
  const unattempted = new Map<number, QueuedWrite>();
  const firstSentAt = new Date().toISOString();
  await changeWrites(waiting, (stored) => {
    // Skips a write that was sent or refused after the queue was read, for example by another tab.
    if (!isWaiting(stored)) return stored;
    unattempted.set(stored.seq, stored);
    return { firstSentAt, ...stored, status: 'sending' };
  });
  const results = new Map<number, Partial<QueuedWrite>>();
  try {
    for (const [seq, queued] of unattempted) {
      if (!isOn()) break;
      unattempted.delete(seq);
      results.set(
        seq,
        await resultOf(call, queued, paymentIds).catch((error: unknown) => {
          // The status 401 means that the user has no session. The server has then recorded nothing, so the write counts as not sent.
          if (error instanceof CallError && error.status === 401) unattempted.set(seq, queued);
          throw error;
        }),
      );
    }
  } finally {
    // Writes that were not sent get back the state that they had before `sendBatch` was called. A write whose outcome is unknown keeps the
    // status `sending`, and is sent again with the same key.
    const known = waiting.filter(({ seq }) => results.has(seq) || unattempted.has(seq));
    await changeWrites(known, (stored) => ({ ...(unattempted.get(stored.seq) ?? stored), ...results.get(stored.seq) }));
    onChange([...results.values()].filter(({ status }) => status === 'sent').length);
  }
}

/**
 * Sends the queued writes one after the other, including those that are added while it sends. The queue is read again only after all writes
 * read before are sent, because reading a long queue takes longer than sending a write. Throws the error that stops sending: no network, a
 * busy server or an expired session.
 */
export async function sendWrites(sending: Sending): Promise<void> {
  while (sending.isOn()) {
    const own = await readWritesOf(sending.userId);
    sending.onRead?.(own);
    const waiting = own.filter(isWaiting);
    if (waiting.length === 0) return;
    const paymentIds: PaymentIds = new Map(
      own.flatMap((queued): [string, number | null][] => {
        const { key, write, paymentId } = queued;
        // Null stands for a refused payment. A payment that the server may have recorded gets no entry in the map.
        if (isRefused(queued)) return write.kind === 'payment' && !isOutcomeUnknown(queued) ? [[key, null]] : [];
        return paymentId === undefined ? [] : [[key, paymentId]];
      }),
    );
    for (let first = 0; first < waiting.length && sending.isOn();) {
      const batch = untilPayment(waiting.slice(first, first + BATCH));
      await sendBatch(sending, batch, paymentIds);
      first += batch.length;
    }
  }
}

/** A recorded payment stays in the queue for this long, because Undo needs its id for the reversal. */
const KEEP_PAYMENT_MS = MINUTE;

/**
 * Removes the writes that the server had accepted before a read of the orders began, because the data that was read contains them already.
 * `queue` is the queue after the read.
 */
export async function forgetSent(before: readonly QueuedWrite[], queue: readonly QueuedWrite[]): Promise<void> {
  const takenBack = new Set(queue.flatMap(({ write }) => (write.kind === 'reversal' ? [write.paymentKey] : [])));
  const mayBeUndone = ({ write, at, key }: QueuedWrite): boolean =>
    write.kind === 'payment' && (Date.now() - Date.parse(at) < KEEP_PAYMENT_MS || takenBack.has(key));
  await removeWrites(before.filter((queued) => queued.status === 'sent' && !mayBeUndone(queued)));
}
