// The rows and the sums of a printed order (spec §2 print order page, §9, contract §7).
import {
  type Actual,
  actualPrice,
  estimatedSubtotal,
  hasUnits,
  listedUnits,
  type OrderedLine,
  orderedAmount,
  unweighedCount,
  weighedSubtotal,
} from './actuals.ts';
import { type Charge, type Fee, feesInSequence, totalWith } from './fees.ts';
import { cents, type Cents, minus } from './money.ts';
import { lineTotal, priceOf } from './order.ts';
import { balanceOf, type PaymentMethod } from './payment.ts';

export interface PrintLine extends OrderedLine {
  readonly name: string;
  readonly product_code: number | null;
  readonly uom?: string | null;
}

export interface PrintRow {
  /** Units, or the actual quantity of one weighed unit; 0 prints an empty box. */
  readonly quantity: number;
  /** How many units this row stands for, none of them weighed; missing in every other row. */
  readonly unweighed?: number;
  /** Of the actual quantity; missing where units are counted. */
  readonly uom?: string | null;
  readonly product_code: number | null;
  readonly name: string;
  readonly price: Cents;
  readonly extPrice: Cents;
}

const codeOf = (line: PrintLine): number => line.product_code ?? Number.MAX_SAFE_INTEGER;

const inPrintOrder = (a: PrintLine, b: PrintLine): number =>
  Number(b.unit_qty_is_estimate) - Number(a.unit_qty_is_estimate) || codeOf(a) - codeOf(b) || a.orderProductId - b.orderProductId;

function unitRow(line: PrintLine, actual: Actual | null): PrintRow {
  const { product_code, name, unit_price: price, uom = null } = line;
  const extPrice = actual ? actualPrice(line, actual) : cents(0);
  return { quantity: actual?.actualQuantity ?? 0, uom, product_code, name, price, extPrice };
}

function rowsOf(line: PrintLine): PrintRow[] {
  const { quantity, product_code, name } = line;
  if (!line.unit_qty_is_estimate) return [{ quantity, product_code, name, price: priceOf(line), extPrice: lineTotal(line, quantity) }];
  const { units, folded } = listedUnits(line);
  const rows = units.map(({ actual }) => unitRow(line, actual));
  return folded === 0 ? rows : [...rows, { ...unitRow(line, null), unweighed: folded }];
}

/** Estimate-quantity products first, one row per ordered unit, then by product code. What is not ordered is not printed: our choice. */
export const printRows = (lines: readonly PrintLine[]): PrintRow[] =>
  lines
    .filter((line) => line.quantity > 0)
    .toSorted(inPrintOrder)
    .flatMap(rowsOf);

interface PaidPart {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
}

export interface PrintTotals {
  readonly subtotal: Cents;
  readonly charges: readonly Charge[];
  readonly total: Cents;
  readonly payments: readonly PaidPart[];
  /** null without payments. The balance of every other screen, so unweighed units stand in it at their estimate. */
  readonly balanceDue: Cents | null;
  readonly unweighed: number;
  /** What the balance counts for them, and whether that is more than their estimate because of the fees. */
  readonly estimated: { readonly amount: Cents; readonly hasFees: boolean };
}

export function printTotals(lines: readonly OrderedLine[], fees: readonly Fee[], payments: readonly PaidPart[]): PrintTotals {
  const subtotal = weighedSubtotal(lines);
  const charges = hasUnits(lines) ? feesInSequence(fees, subtotal) : [];
  const total = totalWith(subtotal, charges);
  const ordered = orderedAmount(lines, fees);
  const amount = minus(ordered, total);
  return {
    subtotal,
    charges,
    total,
    payments,
    balanceDue: payments.length > 0 ? balanceOf(ordered, payments) : null,
    unweighed: unweighedCount(lines),
    estimated: { amount, hasFees: amount !== estimatedSubtotal(lines) },
  };
}
