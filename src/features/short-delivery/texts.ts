// The texts of short deliveries (contract §16).
export const UNITS_NAME = 'Units';
export const UNITS_NOT_WHOLE = 'The units that came must be a whole number, 0 or more.';
export const NOTHING_SHORT = 'As much came as is ordered.';
export const CHANGED_SINCE = 'Orders of this product were changed meanwhile. Look at the preview again.';

// The mail.
export const subjectText = (product: string): string => `Less came of ${product}`;
interface Got {
  readonly product: string;
  readonly ordered: number;
  readonly gets: number;
}
export const gotText = ({ product, ordered, gets }: Got): string =>
  gets === 0
    ? `Less of ${product} came than was ordered. Of the ${ordered} in your order none could be delivered.`
    : `Less of ${product} came than was ordered. You get ${gets} instead of ${ordered}.`;
export const orderText = (distribution: string, date: string, orderId: number): string =>
  `${distribution}, ${date}. Order number ${orderId}. Its amount is lower accordingly.`;
export const SEE_ORDERS = 'See your orders';
