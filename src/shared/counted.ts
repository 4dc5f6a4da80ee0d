import { lazyValue } from './lazy-value.ts';

const number = lazyValue(() => new Intl.NumberFormat('en-US'));

/**
 * Formats a number, for example as '1,234'. A whole number below 1,000 is converted without a formatter, because a formatter is slow to
 * create.
 */
export const numberText = (n: number): string => (Number.isInteger(n) && n >= 0 && n < 1000 ? String(n) : number().format(n));

/** Returns a number with its noun in the singular or plural, for example '1 product' or '1,234 products'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${numberText(n)} ${n === 1 ? one : many}`;
