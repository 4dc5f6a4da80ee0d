// Sends the queued writes in order, each with its Idempotency-Key, so that the server executes each once (contract §14).
import { CallError, type Call } from '../../../client/api/fetch.ts';
import { basisKey, unitKey } from '../../../domain/actuals.ts';
import { removeWeight, saveActuals } from '../../actuals/contract.ts';
import { recordPayment, reversePayment } from '../../payments/contract.ts';
import { setPickedUp } from '../../pick-up/contract.ts';
import { OUTCOME_UNKNOWN, UNDONE_AT_COUNTER } from '../texts.ts';
import { changeWrite, readWrites } from './counter-db.ts';
import { isRefused, isWaiting, type QueuedWrite } from './writes.ts';

/** Timeout of a request in milliseconds. */
const ANSWER = 20_000;

interface Sent {
  readonly paymentId?: number;
}

async function send(call: Call, queued: QueuedWrite, paymentId: number | undefined): Promise<Sent> {
  const { write, orderId, key: idempotencyKey } = queued;
  const params = { orderId };
  const signal = AbortSignal.timeout(ANSWER);
  switch (write.kind) {
    case 'weight': {
      const key = unitKey(write.orderProductId, write.index);
      await call(saveActuals, { params, body: { [key]: write.weight, [basisKey(key)]: write.was }, idempotencyKey, signal });
      return {};
    }
    case 'remove-weight': {
      const { orderProductId, index, was } = write;
      await call(removeWeight, { params, body: { orderProductId, index, was }, idempotencyKey, signal });
      return {};
    }
    case 'payment': {
      const { amount, feeAmount, paymentMethod, description } = write;
      const payment = await call(recordPayment, {
        params,
        body: { amount, feeAmount, paymentMethod, description },
        idempotencyKey,
        signal,
      });
      return { paymentId: payment.id };
    }
    case 'reversal': {
      // The recorded payment was refused, so there is nothing to reverse.
      if (paymentId === undefined) return {};
      await call(reversePayment, { params: { orderId, paymentId }, body: { description: UNDONE_AT_COUNTER }, idempotencyKey, signal });
      return { paymentId };
    }
    case 'picked-up':
      await call(setPickedUp, { params, body: { pickedUp: write.pickedUp }, idempotencyKey, signal });
      return {};
  }
}

/** The server stores a key for a day. A write that is repeated later could be recorded twice, so the user decides. */
const KEY_AGE = 23 * 3_600_000;

/** Whether the error is the server's final decision; after any other error the same write is sent again. */
const isFinal = (error: unknown): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500 && ![401, 408, 429, 499].includes(error.status);

export interface Sending {
  readonly call: Call;
  readonly userId: number;
  /** Called after each change of the queue. */
  readonly onChange: () => void;
}

/** Sends the queued writes. Throws the error that stops the queue: no network, a busy server or an expired session. */
export async function sendWrites({ call, userId, onChange }: Sending): Promise<void> {
  for (;;) {
    const all = (await readWrites()).filter((queued) => queued.userId === userId);
    const next = all.find(isWaiting);
    if (!next) return;
    const now = Date.now();
    if (now - Date.parse(next.firstSentAt ?? new Date(now).toISOString()) > KEY_AGE) {
      await changeWrite(next.seq, (queued) => ({ ...queued, status: 'refused', reason: OUTCOME_UNKNOWN }));
      onChange();
      continue;
    }
    const begin = (queued: QueuedWrite): QueuedWrite => ({
      ...queued,
      status: 'sending',
      firstSentAt: queued.firstSentAt ?? new Date(now).toISOString(),
    });
    if (!(await changeWrite(next.seq, (queued) => (isWaiting(queued) ? begin(queued) : queued)))) continue;
    const { write } = next;
    const paymentOf = write.kind === 'reversal' ? all.find(({ key }) => key === write.paymentKey) : undefined;
    const reversed = next.paymentId ?? (paymentOf && !isRefused(paymentOf) ? paymentOf.paymentId : undefined);
    try {
      const sent = await send(call, next, reversed);
      await changeWrite(next.seq, (queued) => ({ ...queued, ...sent, status: 'sent' }));
    } catch (error) {
      if (!isFinal(error)) throw error;
      await changeWrite(next.seq, (queued) => ({ ...queued, status: 'refused', reason: error.text }));
    } finally {
      onChange();
    }
  }
}
