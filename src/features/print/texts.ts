// Every literal text of the print pages (spec §2, §8; contract §7).
import { counted } from '../../shared/counted.ts';

export const LOADING = 'Loading...';
export const NOT_FOUND = 'Not Found';
export const PRINT_ORDER = 'Print Order';
export const PRINT_ALL = 'Print all orders';
export const NOTHING_TO_PRINT = 'Nothing has been ordered in this distribution yet.';

export const QUANTITY = 'Quantity';
export const CODE = 'Code';
export const PRODUCT = 'Product';
export const PRICE_EACH = 'Price(each)';
export const EXT_PRICE = 'Ext Price';

export const PRICESHEET = 'Pricesheet';
export const DOWNLOAD_PRICESHEET = 'Download Price Sheet';
export const PRICE_COLUMNS = { code: CODE, name: 'Name', max: 'Max', unitPrice: 'Unit Price', price: 'Price' } as const;

export const orderNumber = (orderId: number): string => `Order ${orderId}`;
export const personName = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }): string =>
  [firstName, lastName].filter((part) => part !== null).join(' ');

/** Below the sums, which do not count what is not weighed; the balance does, at its estimate. */
export function unweighedText(units: number, hasBalance: boolean): string {
  const are = `${counted(units, 'unit')} ${units === 1 ? 'is' : 'are'} not weighed yet`;
  const balance = `the balance counts ${units === 1 ? 'it' : 'them'} at the estimate`;
  return `${are} and not in the total${hasBalance ? `; ${balance}` : ''}.`;
}
