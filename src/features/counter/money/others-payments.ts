// Finds the payments that other stations record while the family is open at this one.
import { useState } from 'react';
import { cents, sum, type Cents } from '../../../domain/money.ts';
import type { CounterPayment } from '../contract.ts';
import { UNSENT } from '../device/writes.ts';

type Payments = readonly CounterPayment[];

/** Returns the payments that are new in `now`. This device's own payments are not among them: they are shown before they have an id. */
function addedByOthers(before: Payments, now: Payments): Payments {
  const rest = [...before];
  return now.filter((paid) => {
    const isSame = ({ id, amount, paymentMethod }: CounterPayment): boolean =>
      id === paid.id || (id === UNSENT && amount === paid.amount && paymentMethod === paid.paymentMethod);
    const index = rest.findIndex(isSame);
    if (index !== -1) rest.splice(index, 1);
    return index === -1 && paid.id !== UNSENT;
  });
}

interface OthersPayments {
  /** The sum of the payments that other stations have recorded, less those that they have taken back. */
  readonly recorded: Cents;
  /** Sets the sum to 0. */
  readonly forget: () => void;
}

export function useOthersPayments(payments: Payments): OthersPayments {
  const [seen, setSeen] = useState({ payments, recorded: cents(0) });
  if (seen.payments !== payments) {
    const added = addedByOthers(seen.payments, payments).map(({ amount }) => amount);
    setSeen({ payments, recorded: sum([seen.recorded, ...added]) });
  }
  return { recorded: seen.recorded, forget: () => setSeen((last) => ({ ...last, recorded: cents(0) })) };
}
