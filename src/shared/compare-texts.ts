import { lazyValue } from './lazy-value.ts';

const collator = lazyValue(() => new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' }));

/** How texts stand in lists, as `Array.sort` wants it: `é` with `e` whatever the case, and 9 before 10. */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b);
