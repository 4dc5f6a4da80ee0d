// A weight is a whole number of thousandths of the product's unit of measure, from 0 to 99,999.999 (contract §6, §7). JSON and the database
// contain a number with at most three decimals. All arithmetic uses thousandths.
import { type Cents, decimalText, portionOf, withoutEndZeros } from '../money.ts';

export type Thousandths = number & { readonly __brand: 'Thousandths' };

const MAX_THOUSANDTHS = 99_999_999;
export const MAX_WEIGHT = MAX_THOUSANDTHS / 1000;

/** Throws unless n is a weight in thousandths. Throws for null too, so that callers can write thousandths(weightOf(quantity)). */
export function thousandths(n: number | null): Thousandths {
  if (n === null || !Number.isInteger(n) || n < 0 || n > MAX_THOUSANDTHS) throw new RangeError(`not a weight: ${n}`);
  return (n || 0) as Thousandths;
}

/**
 * Converts an actualQuantity to thousandths: 1.001 becomes 1001. Returns null for a number with more than three decimals or out of range.
 */
export function weightOf(actualQuantity: number): Thousandths | null {
  const nearest = Math.round(actualQuantity * 1000);
  // Dividing thousandths by 1000 gives the floating-point number nearest to the exact result. The comparison is therefore true only for a
  // number with at most three decimals.
  const isExact = nearest / 1000 === actualQuantity;
  return isExact && nearest >= 0 && nearest <= MAX_THOUSANDTHS ? thousandths(nearest) : null;
}

export const weightNumber = (weight: Thousandths): number => weight / 1000;

/** Parses strings like '4.87' and '4,87' with at most three decimals, and '4.' as 4. Returns null for any other string. */
export function parseWeight(text: string): Thousandths | null {
  const [, whole = '', part = ''] = /^(\d*)(?:[.,](\d{0,3}))?$/.exec(text.trim()) ?? [];
  const count = Number(whole + part.padEnd(3, '0'));
  return whole + part !== '' && count <= MAX_THOUSANDTHS ? thousandths(count) : null;
}

export function unreadableWeightReason(text: string): 'negative' | 'not a number' | 'decimals' | 'size' {
  // U+2212 is the typographic minus sign.
  if (/^[-\u2212]\s*(?=[.,]?\d)\d*(?:[.,]\d*)?$/.test(text.trim())) return 'negative';
  if (/^\d*[.,]\d{4,}$/.test(text.trim())) return 'decimals';
  return /^\d+(?:[.,]\d*)?$/.test(text.trim()) ? 'size' : 'not a number';
}

/** Formats a weight without trailing zeros, such as '4.87'. */
export const weightText = (weight: Thousandths): string => withoutEndZeros(decimalText(weight, 3));

/** Returns the price of one weighed unit, rounded half up (contract §7). */
export const weighedPrice = (unitPrice: Cents, weight: Thousandths): Cents => portionOf(unitPrice, weight, 1000);
