import { useCallback, useState } from 'react';
import { dollars, minus, type Cents } from '../../../domain/money.ts';
import type { TypedWeights } from '../../actuals/weighing/use-weighing.ts';
import type { NewPaymentBody } from '../../payments/pay/typed-payment.ts';
import type { Write } from '../device/writes.ts';
import { handedOverStep, openText, paidAndHandedOverStep, paidStep } from '../texts.ts';
import type { Account } from './order-sums.ts';

interface HandOverOptions {
  readonly name: string;
  readonly account: Account;
  readonly weights: TypedWeights;
  readonly write: (made: readonly Write[], label: string) => void;
  readonly onDone: () => void;
}

export interface HandOver {
  /**
   * Records the payment, if there is one, and marks the order as picked up. Asks for confirmation first when weights are missing or money
   * is due. `change` is the cash to give back; null when it is not known. The Undo bar names it, because the payment form disappears.
   */
  readonly handOver: (payment: NewPaymentBody | null, change: Cents | null) => void;
  readonly pay: (payment: NewPaymentBody, change: Cents | null) => void;
  /** The question about missing weights or due money that is shown now, or null. */
  readonly asking: string | null;
  readonly answer: (isYes: boolean) => void;
}

const writeOf = ({ amount, feeAmount, paymentMethod, description }: NewPaymentBody): Write => ({
  kind: 'payment',
  amount,
  feeAmount,
  paymentMethod,
  description: description ?? null,
});

/** Returns the change as text; null when there is nothing to give back. */
const changeOf = (change: Cents | null): string | null => (change !== null && change > 0 ? dollars(change) : null);

export function useHandOver({ name, account, weights, write, onDone }: HandOverOptions): HandOver {
  const [asked, setAsked] = useState<{ payment: NewPaymentBody | null; change: Cents | null; text: string } | null>(null);
  const done = useCallback(
    (payment: NewPaymentBody | null, change: Cents | null): void => {
      const made: Write[] = [...(payment ? [writeOf(payment)] : []), { kind: 'picked-up', pickedUp: true }];
      write(made, payment ? paidAndHandedOverStep(name, dollars(payment.amount), changeOf(change)) : handedOverStep(name));
      onDone();
    },
    [name, write, onDone],
  );
  const answer = useCallback(
    (isYes: boolean): void => {
      setAsked(null);
      if (isYes && asked) done(asked.payment, asked.change);
    },
    [asked, done],
  );
  return {
    handOver: (payment, change) => {
      const open = weights.firstOpen();
      if (open) return document.getElementById(open.key)?.focus();
      const left = payment ? minus(account.balance, payment.amount) : account.balance;
      const text = openText({ unweighed: account.unweighed, due: left > 0 ? dollars(left) : null });
      if (text === '') done(payment, change);
      else setAsked({ payment, change, text });
    },
    pay: (payment, change) => write([writeOf(payment)], paidStep(name, dollars(payment.amount), changeOf(change))),
    asking: asked?.text ?? null,
    answer,
  };
}
