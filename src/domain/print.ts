// Computes the rows and totals of a printed order (spec §2 print order page, §9, contract §7).
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
} from './weights/actuals.ts';
import { type Charge, type Fee, feesInSequence, totalWith } from './fees.ts';
import { cents, type Cents, minus } from './money.ts';
import { lineTotal, priceOf } from './order.ts';
import { balanceOf, type PaidAmount } from './payment.ts';

export interface PrintLine extends OrderedLine {
  /** The quantity that the customer requested last. The caller leaves out lines that staff added and later set to 0. */
  readonly originalQuantity: number;
  readonly name: string;
  readonly product_code: number | null;
  readonly uom?: string | null;
  /** The part of the description that distinguishes the product from others of the same name. */
  readonly nameDetail?: string | undefined;
}

export interface PrintRow {
  /** A number of units, or the actual quantity of one weighed unit; 0 prints an empty box. */
  readonly quantity: number;
  /**
   * The reason why the quantity is 0 and stays 0. Absent for an unweighed unit, because staff write its weight into the empty box by hand.
   */
  readonly state?: 'unavailable' | 'undelivered';
  /** The number of units in a row that stands for many unweighed units. Absent in all other rows. */
  readonly unweighed?: number;
  /** The unit of measure of the actual quantity; absent for a product that is sold by the unit. */
  readonly uom?: string | null;
  readonly product_code: number | null;
  readonly name: string;
  readonly nameDetail?: string;
  readonly price: Cents;
  readonly extPrice: Cents;
}

const namesOf = ({ name, nameDetail }: PrintLine): Pick<PrintRow, 'name' | 'nameDetail'> => (nameDetail ? { name, nameDetail } : { name });

const codeOf = (line: PrintLine): number => line.product_code ?? Number.MAX_SAFE_INTEGER;

const inPrintOrder = (a: PrintLine, b: PrintLine): number =>
  Number(b.unit_qty_is_estimate) - Number(a.unit_qty_is_estimate) || codeOf(a) - codeOf(b) || a.orderProductId - b.orderProductId;

function unitRow(line: PrintLine, actual: Actual | null): PrintRow {
  const { product_code, unit_price: price, uom = null } = line;
  const extPrice = actual ? actualPrice(line, actual) : cents(0);
  const row = { quantity: actual?.actualQuantity ?? 0, uom, product_code, ...namesOf(line), price, extPrice };
  return actual?.actualQuantity === 0 ? { ...row, state: 'undelivered' } : row;
}

/**
 * Returns the row of a line that staff set to 0. The line has only one row even for an estimate product, because there is no unit
 * to weigh.
 */
function unavailableRow(line: PrintLine): PrintRow {
  const { product_code, unit_price, unit_qty_is_estimate } = line;
  const price = unit_qty_is_estimate ? unit_price : priceOf(line);
  return { quantity: 0, state: 'unavailable', product_code, ...namesOf(line), price, extPrice: cents(0) };
}

function rowsOf(line: PrintLine): PrintRow[] {
  const { quantity, product_code } = line;
  if (quantity === 0) return [unavailableRow(line)];
  if (!line.unit_qty_is_estimate)
    return [{ quantity, product_code, ...namesOf(line), price: priceOf(line), extPrice: lineTotal(line, quantity) }];
  const { units, folded } = listedUnits(line);
  const rows = units.map(({ actual }) => unitRow(line, actual));
  return folded === 0 ? rows : [...rows, { ...unitRow(line, null), unweighed: folded }];
}

/**
 * Returns the lines that a printed order contains, with estimate products first and then by product code. A line that the customer lowered
 * to 0 is omitted (our choice).
 */
export const printedLines = <L extends PrintLine>(lines: readonly L[]): L[] =>
  lines.filter((line) => line.quantity > 0 || line.originalQuantity > 0).toSorted(inPrintOrder);

/** Returns the rows of a printed order: one for each ordered unit of an estimate product, and one for each other product. */
export const printRows = (lines: readonly PrintLine[]): PrintRow[] => printedLines(lines).flatMap(rowsOf);

export interface PrintTotals {
  readonly subtotal: Cents;
  readonly charges: readonly Charge[];
  readonly total: Cents;
  readonly payments: readonly PaidAmount[];
  /**
   * The balance due, equal to the balance on every other screen, with unweighed units at their estimate. Null for an order without
   * payments.
   */
  readonly balanceDue: Cents | null;
  readonly unweighed: number;
  /**
   * `amount` is the part of the balance due that is estimated, because units are unweighed. `hasFees` tells whether the amount includes
   * fees.
   */
  readonly estimated: { readonly amount: Cents; readonly hasFees: boolean };
}

export function printTotals(lines: readonly OrderedLine[], fees: readonly Fee[], payments: readonly PaidAmount[]): PrintTotals {
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
