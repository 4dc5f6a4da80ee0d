import { lazyValue } from './lazy-value.ts';

const collator = lazyValue(() => new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' }));

/**
 * Compares two strings for `Array.sort` in the order that people expect: `é` beside `e`, upper and lower case together, and 9 before 10.
 */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b);
