// Tests that all amounts are exact to the cent: computes the same amounts with exact fractions and compares the results.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, inSequence, onSubtotal, weighed } from '../../test/data/exact.ts';
import { hasAllActuals, orderedAmount, weighedSubtotal } from './weights/actuals.ts';
import type { Fee } from './fees.ts';
import { cents, parseDollars } from './money.ts';
import { orderTotals } from './order.ts';
import { balanceOf } from './payment.ts';
import { statementOf } from './order-statement.ts';
import { printRows, printTotals } from './print.ts';

const anyFee = fc.oneof(
  fc.record({ type: fc.constant('percent' as const), sort_order: fc.nat(3), amount: fc.nat(10_000) }),
  fc.record({ type: fc.constant('flat' as const), sort_order: fc.nat(3), amount: fc.nat(50_000) }),
);
const anyLine = fc.record({
  unit_price: fc.nat(50_000),
  unit_qty: fc.integer({ min: 1, max: 30 }),
  isEstimate: fc.boolean(),
  weights: fc.array(fc.option(fc.oneof(fc.nat(99_999_999), fc.nat(20_000))), { maxLength: 6 }),
});
const anyOrder = fc.record({
  lines: fc.array(anyLine, { maxLength: 8 }),
  fees: fc.array(anyFee, { maxLength: 4 }),
  paid: fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 3 }),
});
type Sample = typeof anyOrder extends fc.Arbitrary<infer O> ? O : never;
type Line = Sample['lines'][number];

const estimateOf = (line: Line): bigint => BigInt(line.unit_price) * BigInt(line.unit_qty);

function expected({ lines, fees, paid }: Sample) {
  const unitCosts = (line: Line, missing: bigint): bigint[] =>
    line.weights.map((weight) => {
      if (!line.isEstimate) return estimateOf(line);
      return weight === null ? missing : weighed(line.unit_price, weight);
    });
  const ordered = add(lines.map((line) => estimateOf(line) * BigInt(line.weights.length)));
  const certain = add(lines.flatMap((line) => unitCosts(line, 0n)));
  const estimated = add(lines.flatMap((line) => unitCosts(line, estimateOf(line))));
  const numbered = fees.map((fee, id) => ({ ...fee, id }));
  const anything = lines.some((line) => line.weights.length > 0);
  const printed = (base: bigint): bigint => (anything ? inSequence(numbered, base) : 0n);
  return {
    subtotal: ordered,
    total: anything ? onSubtotal(numbered, ordered) : 0n,
    printedTotal: printed(ordered),
    weighed: certain,
    printed: printed(certain),
    amount: printed(estimated),
    balance: printed(estimated) - add(paid.map(BigInt)),
    complete: lines.every((line) => !line.isEstimate || !line.weights.includes(null)),
  };
}

function computed(sample: Sample) {
  const fees: Fee[] = sample.fees.map((fee, id) => ({ ...fee, id, name: `Fee ${id}` }));
  const lines = sample.lines.map(({ unit_price, unit_qty, isEstimate, weights }, id) => ({
    id,
    orderProductId: id + 1,
    name: `Product ${id}`,
    product_code: id,
    unit_price: cents(unit_price),
    unit_qty,
    unit_qty_is_estimate: isEstimate,
    quantity: weights.length,
    originalQuantity: weights.length,
    actuals: weights.flatMap((weight, sortOrder) => (weight === null ? [] : [{ sortOrder, actualQuantity: weight / 1000 }])),
  }));
  const payments = sample.paid.map((amount) => ({ paymentMethod: 'Cash' as const, amount: cents(amount), feeAmount: cents(0) }));
  const page = orderTotals(lines, new Map(lines.map((line) => [line.id, line.quantity])), fees);
  const print = printTotals(lines, fees, payments);
  const amount = orderedAmount(lines, fees);
  const balance = balanceOf(amount, payments);
  expect(add(printRows(lines).map((row) => BigInt(row.extPrice)))).toBe(BigInt(print.subtotal));
  expect(print.subtotal).toBe(weighedSubtotal(lines));
  const statement = statementOf(lines, fees, payments);
  expect([statement.total, statement.balance]).toEqual([amount, balance]);
  expect(print.balanceDue).toBe(payments.length > 0 ? balance : null);
  return {
    subtotal: BigInt(page.subtotal),
    total: BigInt(page.total),
    printedTotal: BigInt(page.printedTotal),
    weighed: BigInt(print.subtotal),
    printed: BigInt(print.total),
    amount: BigInt(amount),
    balance: BigInt(balance),
    complete: hasAllActuals(lines),
  };
}

test('for 10,000 random orders, the amounts are the same as in exact arithmetic (contract §7)', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      expect(computed(order)).toEqual(expected(order));
    }),
    { numRuns: 10_000 },
  );
});

test('parseDollars reads 200,000 amounts up to $99,999.99 exactly, in each notation that users type', () => {
  const wrong: string[] = [];
  const check = (text: string, amount: number) => parseDollars(text) === amount || wrong.push(text);
  const boundaries = [0, 1, 9, 10, 28, 29, 57, 58, 99, 100, 101, 999, 1000, 99_999, 100_000, 100_001, 999_999, 1_000_000, 9_999_999];
  const sample = Array.from({ length: 200_000 }, (_, i) => (i * 7_919_003) % 10_000_000);
  for (const amount of [...boundaries, ...sample]) {
    const [whole, part] = [String(Math.floor(amount / 100)), String(amount % 100).padStart(2, '0')];
    const [head, tail] = [whole.slice(0, -3), whole.slice(-3)];
    const grouped = (separator: string) => (head === '' ? tail : head + separator + tail);
    check(`${whole}.${part}`, amount);
    check(`$${grouped(',')}.${part}`, amount);
    check(` $ ${whole}.${part}00 `, amount);
    check(`${grouped('.')},${part}`, amount);
    check(`${grouped(' ')}.${part}`, amount);
  }
  expect(wrong).toEqual([]);
});
