// Money is whole cents, computed, parsed and formatted without floating point (spec §9, contract §7). An entered amount is at most
// MAX_CENTS. A computed amount above the largest exact integer becomes that integer instead of throwing (our choice), so that a screen can
// show it and the server can refuse it.

export type Cents = number & { readonly __brand: 'Cents' };
export type BasisPoints = number & { readonly __brand: 'BasisPoints' };

export const MAX_CENTS = cents(1_000_000_000);
const MAX_BASIS_POINTS = basisPoints(1_000_000);

/** Throws unless n is a whole, exact number of cents. */
export function cents(n: number): Cents {
  if (!Number.isSafeInteger(n)) throw new RangeError(`not whole cents: ${n}`);
  return (n || 0) as Cents;
}

/** Throws unless n is a whole number of basis points (100 = 1%). */
export function basisPoints(n: number): BasisPoints {
  if (!Number.isSafeInteger(n)) throw new RangeError(`not whole basis points: ${n}`);
  return (n || 0) as BasisPoints;
}

const bounded = (n: number): Cents => cents(Math.min(Math.max(n, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));

export const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => bounded(total + amount), cents(0));
export const minus = (amount: Cents, less: Cents): Cents => bounded(amount - less);
export const negated = (amount: Cents): Cents => minus(cents(0), amount);
export const times = (amount: Cents, count: number): Cents => bounded(amount * count);

/**
 * Returns amount × part / whole, rounded half up. The function splits the amount, because amount × part may be too large for an exact
 * integer.
 */
export function portionOf(amount: Cents, part: number, whole: number): Cents {
  const [wholes, rest] = divided(amount, whole);
  const [rounded] = divided(rest * part + whole / 2, whole);
  return bounded(wholes * part + rounded);
}

// Divides exactly and rounds down, so the remainder is never negative. It uses the operator %, which is exact even for large numbers,
// whereas / is not.
function divided(n: number, by: number): [quotient: number, remainder: number] {
  const remainder = ((n % by) + by) % by;
  return [(n - remainder) / by, remainder];
}

/** Returns a percentage of an amount, rounded half up (spec §9). */
export const percentOf = (amount: Cents, rate: BasisPoints): Cents => portionOf(amount, rate, 10_000);

/** Formats a count of the smallest unit with a decimal point: (1234, 2) is '12.34'. */
export function decimalText(count: number, places: number): string {
  const digits = String(Math.abs(count)).padStart(places + 1, '0');
  return `${count < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const withoutEndZeros = (decimal: string): string => decimal.replace(/\.?0+$/, '');

/** Formats an amount as '1234.50', for files and inputs. */
export const plainDollars = (amount: Cents): string => decimalText(amount, 2);

/** Formats an amount as '$1,234.50' or '-$3.10', the en-US format (spec §9). */
export function dollars(amount: Cents): string {
  const grouped = decimalText(Math.abs(amount), 2).replace(/\B(?=(\d{3})+\.)/g, ',');
  return `${amount < 0 ? '-' : ''}$${grouped}`;
}

/** Formats a rate as '2.5', for inputs. */
export const plainPercent = (rate: BasisPoints): string => withoutEndZeros(decimalText(rate, 2));
export const percentText = (rate: BasisPoints): string => `${plainPercent(rate)}%`;

const AMERICAN = /^(\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2})0*)?$/;
const EUROPEAN = /^(\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2}))?$/;
// Matches strings like '1.234', which mean 1,234 in some countries and 1.234 in others.
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;
const SPACED = /^[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:[.,]|$)/;

function hundredths(text: string, max: number): number | null {
  const digits = SPACED.test(text) ? text.replace(/\s/g, '') : text;
  const match = AMBIGUOUS.test(digits) ? null : (AMERICAN.exec(digits) ?? EUROPEAN.exec(digits));
  const [, whole = '', part = ''] = match ?? [];
  if (whole + part === '') return null;
  const count = Number(whole.replace(/[.,]/g, '') + part.padEnd(2, '0'));
  return count <= max ? count : null;
}

/**
 * Parses strings like '12', '$1,234.50', '.29', '1.234,56' and '12,50' to cents. Returns null when the string is ambiguous, signed, finer
 * than a cent or too large.
 */
export function parseDollars(text: string): Cents | null {
  const amount = hundredths(text.trim().replace(/^\$\s*/, ''), MAX_CENTS);
  return amount === null ? null : cents(amount);
}

/** Parses strings like '3', '2.5%' and '2,5 %' to basis points. Returns null in the same cases as parseDollars. */
export function parsePercent(text: string): BasisPoints | null {
  const rate = hundredths(text.trim().replace(/\s*%$/, ''), MAX_BASIS_POINTS);
  return rate === null ? null : basisPoints(rate);
}

/**
 * Parses a number that may begin with a minus sign, before or after a dollar sign. `parse` parses the text without the minus sign. A form
 * that accepts no negative numbers uses this function too, so that the rule against negative numbers reports them.
 */
export function parseSigned(text: string, parse: (unsigned: string) => number | null): number | null {
  const [, currency = '', sign, digits = ''] = /^\s*(\$?)\s*([-\u2212]?)(.*)$/s.exec(text) ?? [];
  const value = parse(currency + digits);
  return value !== null && sign !== '' ? 0 - value : value;
}

/**
 * Parses strings like '5', '5.0', '1,000' and '1 000'. Returns null when the string is ambiguous (such as '1.000'), signed or no whole
 * number.
 */
export function parseWhole(text: string): number | null {
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const count = hundredths(text, Number.MAX_SAFE_INTEGER);
  return count === null || count % 100 !== 0 ? null : count / 100;
}
