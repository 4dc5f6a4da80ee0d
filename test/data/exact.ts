// Computes amounts of money with exact fractions, without the code under test (contract §7).

export interface ExactFee {
  readonly id: number;
  readonly type: 'percent' | 'flat';
  readonly sort_order: number;
  readonly amount: number;
}

/** Returns numerator / denominator, rounded half up. */
export function nearest(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = [2n * numerator + denominator, 2n * denominator];
  return top / bottom - (top % bottom < 0n ? 1n : 0n);
}

export const add = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Returns the price of one unit whose weight is given in thousandths. */
export const weighed = (unitPrice: number, thousandths: number): bigint => nearest(BigInt(unitPrice) * BigInt(thousandths), 1000n);

const inOrder = (fees: readonly ExactFee[]): ExactFee[] =>
  [...fees].sort((a, b) => (a.sort_order === b.sort_order ? a.id - b.id : a.sort_order - b.sort_order));

const charge = (base: bigint, fee: ExactFee): bigint =>
  fee.type === 'flat' ? BigInt(fee.amount) : nearest(base * BigInt(fee.amount), 10_000n);

/** Returns the total of the order page, where every fee is computed on the subtotal. */
export const onSubtotal = (fees: readonly ExactFee[], base: bigint): bigint =>
  add([base, ...inOrder(fees).map((fee) => charge(base, fee))]);

/** Returns the printed total, where each fee is computed on the running total. */
export const inSequence = (fees: readonly ExactFee[], base: bigint): bigint =>
  inOrder(fees).reduce((running, fee) => running + charge(running, fee), base);
