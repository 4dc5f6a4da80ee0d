// Parses the codes that a scanner types into a field: a weight from a label scale, and the number of a printed order (contract §14).
import { thousandths, type Thousandths } from '../weights/weight.ts';

export interface WeightBarcode {
  readonly productCode: number;
  readonly weight: Thousandths;
}

/**
 * Checks the last digit of an EAN-13 as GS1 defines it: the digits before the check digit have the weights 1, 3, 1, 3, ... from the left.
 */
function hasCheckDigit(ean13: string): boolean {
  const sum = ean13.split('').reduce((sofar, digit, index) => sofar + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** Whether the text has the format of a weight barcode, even with a wrong check digit. */
export const isWeightBarcode = (text: string): boolean => /^2\d{12}$/.test(text.trim());

/** Parses a variable-measure EAN-13: prefix 20 to 29, product code, weight in hundredths, check digit. Returns null for anything else. */
export function parseWeightBarcode(text: string): WeightBarcode | null {
  const code = text.trim();
  if (!isWeightBarcode(code) || !hasCheckDigit(code)) return null;
  return { productCode: Number(code.slice(2, 7)), weight: thousandths(Number(code.slice(7, 12)) * 10) };
}

const ORDER_CODE = 'FD1:';

/**
 * Returns the scanned code at the end of a series of quickly typed keys, or '' when there is none. Characters that a person typed may
 * precede the code.
 */
export const codeAtEnd = (keys: string): string => /(fd1:[1-9]\d{0,9}|2\d{12})$/i.exec(keys)?.[0] ?? '';

export const orderCode = (orderId: number): string => `${ORDER_CODE}${orderId}`;

/** Returns the order's id from a scanned code; null for anything else. */
export function parseOrderCode(text: string): number | null {
  const [, id] = /^fd1:([1-9]\d{0,9})$/i.exec(text.trim()) ?? [];
  return id === undefined ? null : Number(id);
}
