import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { dismissErrorOf, toast } from '../../../client/toasts/toast.ts';
import { dollars, minus, type Cents } from '../../../domain/money.ts';
import { receivedAmount } from '../../../domain/payment.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import type { TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import type { NewPaymentBody } from '../../payments/pay/typed-payment.ts';
import type { CounterOrder } from '../contract.ts';
import { seenWeightsOf, type Write } from '../device/writes.ts';
import {
  HANDED_OVER_STEP,
  handOverQuestion,
  NOT_RECORDED_BECAUSE,
  notRecordedText,
  paidAndHandedOverStep,
  paidStep,
  PRESSES,
} from '../texts.ts';
import type { Account } from './order-sums.ts';

interface HandOverOptions {
  readonly order: CounterOrder;
  readonly account: Account;
  readonly weights: TypedWeights;
  readonly write: (made: readonly Write[], what: string, change?: Cents | null) => void;
  readonly onDone: () => void;
}

export interface HandOver {
  /**
   * Records the payment, if there is one, and marks the order as picked up. Asks for confirmation first when weights are missing or money
   * is due. `change` is the cash to give back, or null if the user has not typed the cash that the family gave.
   */
  readonly handOver: (payment: NewPaymentBody | null, change: Cents | null) => void;
  readonly pay: (payment: NewPaymentBody, change: Cents | null) => void;
  /** The question about missing weights or due money that is shown now, or null. */
  readonly asking: string | null;
  readonly answer: (isYes: boolean) => void;
  /** Says that a field has refused a payment. Unless a later press is accepted, a message says so when the user leaves the family. */
  readonly noteRefusal: () => void;
}

const writeOf = (order: CounterOrder, { amount, feeAmount, paymentMethod, description }: NewPaymentBody): Write => ({
  kind: 'payment',
  amount,
  feeAmount,
  paymentMethod,
  description: description ?? null,
  seenWeights: seenWeightsOf(order),
});

/** Names the same amount as the button that was pressed: the payment with its card fee. */
const paidOf = (payment: NewPaymentBody, change: Cents | null) => ({
  amount: dollars(receivedAmount(payment)),
  method: payment.paymentMethod,
  change: change !== null && change > 0 ? dollars(change) : null,
});

/** A hand-over that is ready to be recorded. `what` describes it for the user, and `change` is the cash to give back. */
interface PreparedHandOver {
  readonly writes: readonly Write[];
  readonly what: string;
  readonly change: Cents | null;
}

/** Says when the user leaves the family that its last payment or hand-over was refused, because the field that says why is then not shown. */
function useRefusal(order: CounterOrder) {
  const isRefused = useRef(false);
  const actionKey = `not-recorded-${order.id}`;
  const note = useCallback(
    (refused: boolean): void => {
      isRefused.current = refused;
      if (!refused) dismissErrorOf(actionKey);
    },
    [actionKey],
  );
  const leave = useEffectEvent(() => {
    if (!isRefused.current) return;
    toast({ title: notRecordedText(sortNameOrEmail(order)), description: NOT_RECORDED_BECAUSE, variant: 'destructive', actionKey });
  });
  useEffect(() => () => leave(), []);
  return note;
}

export function useHandOver({ order, account, weights, write, onDone }: HandOverOptions): HandOver {
  const noteRefused = useRefusal(order);
  const [asked, setAsked] = useState<{ prepared: PreparedHandOver; text: string } | null>(null);
  const done = useCallback(
    ({ writes, what, change }: PreparedHandOver): void => {
      dismissErrorOf(PRESSES);
      write(writes, what, change);
      onDone();
    },
    [write, onDone],
  );
  const answer = useCallback(
    (isYes: boolean): void => {
      setAsked(null);
      if (!asked) return;
      if (isYes) done(asked.prepared);
      else noteRefused(asked.prepared.writes.some(({ kind }) => kind === 'payment'));
    },
    [asked, done, noteRefused],
  );
  return {
    handOver: (payment, change) => {
      const undecided = weights.firstUndecided();
      noteRefused(undecided !== null);
      if (undecided) return document.getElementById(undecided.key)?.focus();
      const left = payment ? minus(account.balance, payment.amount) : account.balance;
      const paid = payment && paidOf(payment, change);
      const text = handOverQuestion({ unweighed: account.unweighed, due: left > 0 ? dollars(left) : null, paid });
      // The writes are prepared before the question is asked, because the order may change while the question is open.
      const writes: Write[] = [...(payment ? [writeOf(order, payment)] : []), { kind: 'picked-up', pickedUp: true }];
      const prepared = { writes, what: paid ? paidAndHandedOverStep(paid) : HANDED_OVER_STEP, change };
      if (text === null) done(prepared);
      else setAsked({ prepared, text });
    },
    pay: (payment, change) => {
      noteRefused(false);
      dismissErrorOf(PRESSES);
      write([writeOf(order, payment)], paidStep(paidOf(payment, change)), change);
    },
    asking: asked?.text ?? null,
    answer,
    noteRefusal: () => noteRefused(true),
  };
}
