// Computes amounts of money with exact fractions. It does not use the code under test (contract §7).

export interface ExactFee {
  readonly id: number;
  readonly type: 'percent' | 'flat';
  readonly sort_order: number;
  readonly amount: number;
}

/** Divides two integers and rounds the result half up. */
export function nearest(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = [2n * numerator + denominator, 2n * denominator];
  return top / bottom - (top % bottom < 0n ? 1n : 0n);
}

export const add = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Returns the price in cents of one unit with the given weight in thousandths. */
export const weighed = (unitPrice: number, thousandths: number): bigint => nearest(BigInt(unitPrice) * BigInt(thousandths), 1000n);

const inOrder = (fees: readonly ExactFee[]): ExactFee[] =>
  [...fees].sort((a, b) => (a.sort_order === b.sort_order ? a.id - b.id : a.sort_order - b.sort_order));

const charge = (base: bigint, fee: ExactFee): bigint =>
  fee.type === 'flat' ? BigInt(fee.amount) : nearest(base * BigInt(fee.amount), 10_000n);

/** Returns the total that the order page shows: each fee is computed on the subtotal. */
export const onSubtotal = (fees: readonly ExactFee[], base: bigint): bigint =>
  add([base, ...inOrder(fees).map((fee) => charge(base, fee))]);

/** Returns the total that prints show: each fee is computed on the subtotal plus the fees before it. */
export const inSequence = (fees: readonly ExactFee[], base: bigint): bigint =>
  inOrder(fees).reduce((running, fee) => running + charge(running, fee), base);
