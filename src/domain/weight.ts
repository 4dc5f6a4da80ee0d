// What a weight is: whole thousandths of the product's unit of measure, 0 to 99,999.999, kept exactly (contract §6, §7).
// On the wire and in rows it is a number with at most three decimals; arithmetic is done on thousandths only.
import { type Cents, decimalText, portionOf, withoutEndZeros } from './money.ts';

export type Thousandths = number & { readonly __brand: 'Thousandths' };

const MAX_THOUSANDTHS = 99_999_999;
export const MAX_WEIGHT = MAX_THOUSANDTHS / 1000;

/** Throws on what is no weight; takes null so that a stored quantity reads thousandths(weightOf(it)). */
export function thousandths(n: number | null): Thousandths {
  if (n === null || !Number.isInteger(n) || n < 0 || n > MAX_THOUSANDTHS) throw new RangeError(`not a weight: ${n}`);
  return (n || 0) as Thousandths;
}

/** The weight that an actualQuantity means: 1.001 is 1001; null with more than three decimals or out of range. */
export function weightOf(actualQuantity: number): Thousandths | null {
  const nearest = Math.round(actualQuantity * 1000);
  // Division is correctly rounded, so equality holds for the one number that is written with these decimals.
  const isExact = nearest / 1000 === actualQuantity;
  return isExact && nearest >= 0 && nearest <= MAX_THOUSANDTHS ? thousandths(nearest) : null;
}

/** The number that stands for a weight on the wire. */
export const weightNumber = (weight: Thousandths): number => weight / 1000;

/** '4.87' or '4,87', at most three decimals; '4.' is 4; null otherwise. */
export function parseWeight(text: string): Thousandths | null {
  const [, whole = '', part = ''] = /^(\d*)(?:[.,](\d{0,3}))?$/.exec(text.trim()) ?? [];
  const count = Number(whole + part.padEnd(3, '0'));
  return whole + part !== '' && count <= MAX_THOUSANDTHS ? thousandths(count) : null;
}

/** Why a text that parseWeight refuses is no weight. */
export function weightProblem(text: string): 'negative' | 'not a number' | 'decimals' | 'size' {
  // U+2212 is the typographic minus sign.
  if (/^[-\u2212]\s*(?=[.,]?\d)\d*(?:[.,]\d*)?$/.test(text.trim())) return 'negative';
  if (/^\d*[.,]\d{4,}$/.test(text.trim())) return 'decimals';
  return /^\d+(?:[.,]\d*)?$/.test(text.trim()) ? 'size' : 'not a number';
}

/** '4.87': no more decimals than needed. */
export const weightText = (weight: Thousandths): string => withoutEndZeros(decimalText(weight, 3));

/** What one weighed unit costs, rounded half up (contract §7). */
export const weighedPrice = (unitPrice: Cents, weight: Thousandths): Cents => portionOf(unitPrice, weight, 1000);
