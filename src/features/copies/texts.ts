// The UI texts of copying a distribution and of its estimates (contract §13).
import { numberText } from '../../shared/counted.ts';

export const tooManyKept = (most: number): string => `keep names at most ${most} products`;

export const COPY_OF_REHEARSAL = 'This is a rehearsal. Copy the real distribution.';

// The texts of the copy dialog.
export const COPY = 'Copy';
export const copyTitle = (distribution: string): string => `Copy ${distribution}`;
export const COPY_MEANS =
  'Products with their limits, fees and the order of groups are copied into a draft. Customers can order once you publish it. Ordering times, pick-up times, orders, payments and e-mails are not copied.';
export const COPY_DISTRIBUTION = 'Copy distribution';
export const COPIED = 'Distribution copied';
export const copiedText = (distribution: string): string => `${distribution} is a draft. Publish it when it is ready.`;

export const ESTIMATES = 'Estimates';
export const ESTIMATE_MODES = { measured: 'As they were weighed', same: 'As they are now' } as const;
export const SAME_MEANS = 'Every product keeps its estimate.';
export const measuredMeans = (enough: number): string =>
  `The new estimate is the mean of what was weighed, as a whole number, where at least ${enough} units were weighed.`;

// The texts about the measured estimates in the copy dialog.
export const MEASURED_ESTIMATES = 'Measured estimates';
export const SEARCH_ESTIMATES = 'Search estimates';
export const takeAllText = (changes: number): string => (changes === 1 ? 'Take the one change' : `Take all ${numberText(changes)} changes`);
/** Returns, for example, '5 lb → 6 lb'. */
export const changeText = (before: string, after: string): string => `${before} → ${after}`;
/** Returns, for example, 'mean 6 lb, spread 0.4, 42 weighed'. */
export const measuredText = ({ mean, spread, weighed }: { mean: string; spread: string | null; weighed: number }): string =>
  `mean ${mean}${spread === null ? '' : `, spread ${spread}`}, ${numberText(weighed)} weighed`;
export const NOT_WEIGHED = 'not weighed';
export const STAYS = 'stays';
export const TOO_FEW = 'too few weighed';
export const NO_MATCH = 'No product matches.';
export const moreText = (more: number): string => `${numberText(more)} more. Search to find one.`;

// The texts of the table of estimates on the report page.
export const ESTIMATE_ERRORS = 'How far the estimates were off';
export const ESTIMATE_ERRORS_HINT =
  'Positive: the estimate was higher than what was weighed. The spread is the standard deviation of the weights.';
export const ESTIMATES_NOUN = 'products';
export const DOWNLOAD_ESTIMATES = 'Download estimates';
export const NO_ESTIMATES = 'Nothing is sold by weight here.';
export const ESTIMATE_HEADERS = {
  code: 'Code',
  product: 'Product',
  group: 'Group',
  estimate: 'Estimate',
  mean: 'Mean',
  error: 'Off by',
  spread: 'Spread',
  weighed: 'Weighed',
  proposed: 'Proposed',
} as const;
/** Returns, for example, '+25%', '-20%' or '0%'. */
export const errorText = (percent: number): string => `${percent > 0 ? '+' : ''}${percent}%`;
export const NONE = '—';
