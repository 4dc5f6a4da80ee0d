// Computes the fees of an order (spec §9, contract §7). Callers charge no fee on an order without quantities.
import { basisPoints, cents, type Cents, dollars, percentOf, percentText, sum } from './money.ts';

/** A fee, whose amount is in cents for a flat fee and in basis points for a percent fee (spec §3). */
export interface Fee {
  readonly id: number;
  readonly name: string;
  readonly type: 'percent' | 'flat';
  readonly sort_order: number;
  readonly amount: number;
}

export interface Charge<F extends Fee = Fee> {
  readonly fee: F;
  readonly amount: Cents;
}

const inOrder = <F extends Fee>(fees: readonly F[]): F[] => fees.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id);

const chargeOn = (fee: Fee, base: Cents): Cents => (fee.type === 'flat' ? cents(fee.amount) : percentOf(base, basisPoints(fee.amount)));

// The specification defines two rules for fees. The order page charges every fee on the subtotal. The printed order, the order amount and
// the balance charge each fee on the running total.

export const feesOnSubtotal = <F extends Fee>(fees: readonly F[], subtotal: Cents): Charge<F>[] =>
  inOrder(fees).map((fee) => ({ fee, amount: chargeOn(fee, subtotal) }));

export function feesInSequence<F extends Fee>(fees: readonly F[], subtotal: Cents): Charge<F>[] {
  let running = subtotal;
  return inOrder(fees).map((fee) => {
    const amount = chargeOn(fee, running);
    running = sum([running, amount]);
    return { fee, amount };
  });
}

export const totalWith = (subtotal: Cents, charges: readonly Charge[]): Cents => sum([subtotal, ...charges.map((charge) => charge.amount)]);

/** Whether the order page and the printed order charge different fees on this subtotal. The order page then informs the customer. */
export const feeRulesDiffer = (fees: readonly Fee[], subtotal: Cents): boolean =>
  totalWith(subtotal, feesOnSubtotal(fees, subtotal)) !== totalWith(subtotal, feesInSequence(fees, subtotal));

/** Formats a fee as '3%' or '$5.00'. */
export const feeText = (fee: Pick<Fee, 'type' | 'amount'>): string =>
  fee.type === 'flat' ? dollars(cents(fee.amount)) : percentText(basisPoints(fee.amount));

/** Formats a fee with its name: 'Service (3%)' for a percent fee, and 'Handling' for a flat fee. */
export const feeLabel = (fee: Fee): string => (fee.type === 'percent' ? `${fee.name} (${feeText(fee)})` : fee.name);
