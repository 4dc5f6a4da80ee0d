// The writes of a counter that the server may not have confirmed yet, and how they change the displayed orders (contract §14).
import type { Role } from '../../../domain/accounts/roles.ts';
import { negated, type Cents } from '../../../domain/money.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import { isUnconfirmed, unitKey } from '../../../domain/weights/actuals.ts';
import { MAX_AT_ONCE } from '../../actuals/contract.ts';
import type { CounterOrder } from '../contract.ts';
import { OUTCOME_UNKNOWN } from '../texts.ts';

interface UnitWrite {
  readonly orderProductId: number;
  readonly index: number;
  /** Whether the weight `was` is an unconfirmed weight of the customer. The previous version did not store it. */
  readonly wasByCustomer?: boolean;
}

/** Unconfirmed weights of the customer, by the key of the unit. */
type SeenWeights = Readonly<Record<string, number>>;

export type Write =
  | (UnitWrite & { readonly kind: 'weight'; readonly weight: number; readonly was: number | null })
  | (UnitWrite & { readonly kind: 'remove-weight'; readonly was: number })
  | {
      readonly kind: 'payment';
      readonly amount: Cents;
      readonly feeAmount: Cents;
      readonly paymentMethod: PaymentMethod;
      readonly description: string | null;
      /** The unconfirmed weights on which the amount is based. The previous version did not store them. */
      readonly seenWeights?: SeenWeights;
    }
  /** Undo of a payment: reverses the payment that was recorded by the write with the key `paymentKey`. */
  | {
      readonly kind: 'reversal';
      readonly paymentKey: string;
      readonly amount: Cents;
      readonly feeAmount: Cents;
      readonly paymentMethod: PaymentMethod;
    }
  | { readonly kind: 'picked-up'; readonly pickedUp: boolean };

/**
 * 'waiting': not sent yet. 'sending': the server may have received the write. 'sent': the server accepted the write, which stays in the
 * queue until a read contains it. 'refused': the server or this device rejected the write, and the user decides.
 */
type WriteStatus = 'waiting' | 'sending' | 'sent' | 'refused';

export interface QueuedWrite {
  /** The sequence number that IndexedDB assigns. Writes are sent in the sequence of these numbers. */
  readonly seq: number;
  /** The Idempotency-Key. */
  readonly key: string;
  readonly userId: number;
  readonly role: Role;
  readonly distributionId: number;
  readonly orderId: number;
  /** The time on the device's clock when the write was queued, in ISO format. */
  readonly at: string;
  readonly write: Write;
  /** Describes the write, for example 'Brisket 1/2: 4.5 lb'. The previous version did not store it. */
  readonly text?: string;
  readonly status: WriteStatus;
  /** When the write was sent for the first time; absent if it was never sent. */
  readonly firstSentAt?: string;
  readonly reason?: string;
  readonly mayBeRecorded?: true;
  readonly paymentId?: number;
  /** The highest id among the order's payments that the screen showed when the write was made. The previous version did not store it. */
  readonly lastPaymentId?: number;
}

export type NewWrite = Omit<QueuedWrite, 'seq' | 'status'>;

/** Whether the write still waits for a response of the server. */
export const isWaiting = ({ status }: QueuedWrite): boolean => status === 'waiting' || status === 'sending';
export const isRefused = ({ status }: QueuedWrite): boolean => status === 'refused';
/** Whether the server has not accepted the write: it is waiting, being sent, or refused. */
export const isUnsent = (queued: QueuedWrite): boolean => isWaiting(queued) || isRefused(queued);
/** Whether the server may have recorded the write although nobody sends it any more. */
export const isOutcomeUnknown = (queued: QueuedWrite): boolean =>
  // The previous version stored only the reason.
  isRefused(queued) && (queued.mayBeRecorded === true || queued.reason === OUTCOME_UNKNOWN);

export const isMoney = ({ write: { kind } }: QueuedWrite): boolean => kind === 'payment' || kind === 'reversal';

/** Returns a text that changes whenever the write must be displayed differently. */
export const stateOf = (queued: QueuedWrite): string =>
  `${queued.key} ${isWaiting(queued) && !isMoney(queued) ? 'waiting' : queued.status}`;

type Line = CounterOrder['lines'][number];

const withLine = (order: CounterOrder, orderProductId: number, change: (line: Line) => Line): CounterOrder => ({
  ...order,
  lines: order.lines.map((line) => (line.orderProductId === orderProductId ? change(line) : line)),
});

/** Stands for the id of a payment until the server has assigned an id. */
export const UNSENT = 0;

function withWrite(order: CounterOrder, { write, role, at }: QueuedWrite, paymentId: number | undefined): CounterOrder {
  switch (write.kind) {
    case 'weight':
      return withLine(order, write.orderProductId, (line) => {
        const others = line.actuals.filter(({ sortOrder }) => sortOrder !== write.index);
        return { ...line, actuals: [...others, { sortOrder: write.index, actualQuantity: write.weight, byRole: role }] };
      });
    case 'remove-weight':
      return withLine(order, write.orderProductId, (line) => ({
        ...line,
        actuals: line.actuals.filter(({ sortOrder }) => sortOrder !== write.index),
      }));
    case 'payment': {
      if (order.payments.some(({ id }) => id === paymentId)) return order;
      const { amount, feeAmount, paymentMethod } = write;
      return {
        ...order,
        payments: [...order.payments, { id: paymentId ?? UNSENT, amount, feeAmount, paymentMethod, createdAt: at, reversesId: null }],
      };
    }
    case 'reversal': {
      if (order.payments.some(({ reversesId }) => reversesId !== null && reversesId === paymentId)) return order;
      const [amount, feeAmount] = [negated(write.amount), negated(write.feeAmount)];
      const { paymentMethod } = write;
      return {
        ...order,
        payments: [...order.payments, { id: UNSENT, amount, feeAmount, paymentMethod, createdAt: at, reversesId: paymentId ?? UNSENT }],
      };
    }
    case 'picked-up':
      return { ...order, pickedUpAt: write.pickedUp ? (order.pickedUpAt ?? at) : null };
  }
}

/**
 * Returns the id of a payment whose response is outstanding, if the order contains the payment already. The server does not return the
 * Idempotency-Key of a payment. The payment is therefore found by its amounts, among the payments that the screen did not show when the
 * user recorded it. `known` contains the ids of the queue's other payments.
 */
function findPaymentId({ payments }: CounterOrder, { write, status, lastPaymentId = Infinity }: QueuedWrite, known: ReadonlySet<number>) {
  if (write.kind !== 'payment' || status !== 'sending') return undefined;
  const isSame = (paid: CounterOrder['payments'][number]): boolean =>
    paid.reversesId === null &&
    paid.amount === write.amount &&
    paid.feeAmount === write.feeAmount &&
    paid.paymentMethod === write.paymentMethod;
  return payments.find((paid) => paid.id > lastPaymentId && !known.has(paid.id) && isSame(paid))?.id;
}

/** Returns the order as it would be after these writes. Refused writes are left out. */
export function orderWith(order: CounterOrder, writes: readonly QueuedWrite[]): CounterOrder {
  const own = writes.filter((queued) => queued.orderId === order.id && !isRefused(queued));
  const known = new Set(own.flatMap(({ paymentId }) => paymentId ?? []));
  const paymentIds = new Map(own.map((queued) => [queued.key, queued.paymentId ?? findPaymentId(order, queued, known)]));
  const idOf = ({ key, write }: QueuedWrite) =>
    paymentIds.get(key) ?? (write.kind === 'reversal' ? paymentIds.get(write.paymentKey) : undefined);
  return own.reduce((changed, queued) => withWrite(changed, queued, idOf(queued)), order);
}

/** Returns the unconfirmed weights of the order, at most as many as one call may contain. */
export const seenWeightsOf = ({ lines }: CounterOrder): SeenWeights =>
  Object.fromEntries(
    lines
      .flatMap(({ orderProductId, actuals }) =>
        actuals.filter(isUnconfirmed).map(({ sortOrder, actualQuantity }) => [unitKey(orderProductId, sortOrder), actualQuantity] as const),
      )
      .slice(0, MAX_AT_ONCE),
  );

/**
 * Returns the highest id of the order's payments after these writes, or 0 if it has none. Skips the other writes, because a queue can have
 * thousands of weights of one order.
 */
export const lastPaymentIdOf = (order: CounterOrder, writes: readonly QueuedWrite[]): number =>
  Math.max(0, ...orderWith(order, writes.filter(isMoney)).payments.map(({ id }) => id));

/**
 * Returns the write that undoes a recorded write; null if it cannot be undone. Staff cannot record a weight in the customer's name. Undo
 * of a weight that replaced a customer's weight therefore leaves the unit without a weight.
 */
export function inverseOf({ key, write }: Pick<QueuedWrite, 'key' | 'write'>): Write | null {
  switch (write.kind) {
    case 'weight': {
      const { orderProductId, index, weight, was, wasByCustomer = false } = write;
      // If both weights are equal, staff have only confirmed the weight that the customer recorded. A confirmation cannot be undone.
      if (was === weight) return null;
      return was === null || wasByCustomer
        ? { kind: 'remove-weight', orderProductId, index, was: weight }
        : { kind: 'weight', orderProductId, index, weight: was, was: weight };
    }
    case 'remove-weight': {
      const { orderProductId, index, was, wasByCustomer = false } = write;
      return wasByCustomer ? null : { kind: 'weight', orderProductId, index, weight: was, was: null };
    }
    case 'payment': {
      const { amount, feeAmount, paymentMethod } = write;
      return { kind: 'reversal', paymentKey: key, amount, feeAmount, paymentMethod };
    }
    case 'reversal':
      return null;
    case 'picked-up':
      return { kind: 'picked-up', pickedUp: !write.pickedUp };
  }
}

/**
 * Prepares a refused write for another attempt. A weight, and the removal of a weight, is sent together with the weight that it replaces.
 * The new attempt replaces the weight that is recorded at present. If the order is not on the device, the write stays as it is.
 */
export function retried(queued: QueuedWrite, order: CounterOrder | undefined): QueuedWrite {
  const { write, reason: _reason, mayBeRecorded: _recorded, firstSentAt: _sent, ...rest } = queued;
  return { ...rest, write: withRecordedWeight(write, order), status: 'waiting' };
}

function withRecordedWeight(write: Write, order: CounterOrder | undefined): Write {
  if (write.kind !== 'weight' && write.kind !== 'remove-weight') return write;
  const line = order?.lines.find(({ orderProductId }) => orderProductId === write.orderProductId);
  if (!line) return write;
  const recorded = line.actuals.find(({ sortOrder }) => sortOrder === write.index);
  if (!recorded) return write.kind === 'weight' ? { ...write, was: null } : write;
  return { ...write, was: recorded.actualQuantity, wasByCustomer: isUnconfirmed(recorded) };
}
