// This file contains the UI texts and server messages about short deliveries (contract §16).
import { counted, numberText } from '../../shared/counted.ts';
import { NOT_UNDONE, ofThemText } from '../catalogue/texts.ts';

export const UNITS_NAME = 'Units';
export const UNITS_NOT_WHOLE = 'The units that came must be a whole number, 0 or more.';
export const NOTHING_SHORT = 'As much came as is ordered.';
export const CHANGED_SINCE = 'Orders of this product were changed meanwhile. Look at the preview again.';
export const tooManyToInform = (most: number, written: number): string =>
  `At most ${most} e-mails can be sent in a day, and you have sent ${written} since yesterday. Nothing was changed: share out without e-mails, or tomorrow.`;

// The texts of the mail.
export const subjectText = (product: string): string => `Less came of ${product}`;
export const gotText = (product: string, { ordered, gets }: Record<'ordered' | 'gets', number>): string =>
  gets === 0
    ? `Less of ${product} came than was ordered. Of the ${ordered} in your order none could be delivered.`
    : `Less of ${product} came than was ordered. You get ${gets} instead of ${ordered}.`;
export const orderText = (distribution: string, date: string, orderId: number): string =>
  `${distribution}, ${date}. Order number ${orderId}. Its amount is lower accordingly.`;
export const SEE_ORDERS = 'See your orders';
export const OTHER_HTML = 'Feastday did not write the content of this e-mail.';

// The texts of the dialog.
export const SHORT_DELIVERY = 'Short delivery';
export const shortDeliveryTitle = (product: string): string => `Short delivery of ${product}`;
export const shortDeliveryHint = (ordered: number): string =>
  `${counted(ordered, 'unit is', 'units are')} ordered. Enter how many came: the orders are lowered to what there is.`;
export const UNITS_THAT_CAME = 'Units that came';
export const fewerText = (ordered: number): string => `Enter a whole number below ${numberText(ordered)}.`;
export const RULE = 'How to share';
export const RULES = { proportional: 'In proportion', first: 'First come, first served' } as const;
export const RULE_MEANS = {
  proportional: 'Everybody gets the same part of what they ordered, in whole units.',
  first: 'Who ordered the product first gets everything until nothing is left.',
} as const;
export const PREVIEW = 'Show who gets how many';
export const SHARES = 'Who gets how many';
/** Returns, for example, '4 → 3'. */
export const lessText = (ordered: number, gets: number): string => `${numberText(ordered)} → ${numberText(gets)}`;
const WITH_PAYMENT = 'with a payment';
const PICKED_UP = 'picked up';
/** Returns, for example, 'This lowers 3 orders, 1 of them with a payment.' Leaves out what occurs in none of the lowered orders. */
export function lowersText({
  orders,
  paid,
  weighed,
  pickedUp,
}: Readonly<Record<'orders' | 'paid' | 'weighed' | 'pickedUp', number>>): string {
  const among = [
    paid > 0 && ofThemText(orders, paid, WITH_PAYMENT, 'with payments'),
    weighed > 0 && ofThemText(orders, weighed, 'with recorded weights of this product'),
    pickedUp > 0 && ofThemText(orders, pickedUp, PICKED_UP),
  ];
  return `This lowers ${[counted(orders, 'order'), ...among.filter((text) => text !== false)].join(', ')}.`;
}
export const lostText = ({ losingWeights }: { readonly losingWeights: number }): string =>
  losingWeights > 0 ? `Recorded weights of units that fall away are dropped. ${NOT_UNDONE}` : NOT_UNDONE;
/** Returns, for example, 'with a payment, picked up'. */
export const marksText = ({ hasPayments, isPickedUp }: Readonly<Record<'hasPayments' | 'isPickedUp', boolean>>): string =>
  [...(hasPayments ? [WITH_PAYMENT] : []), ...(isPickedUp ? [PICKED_UP] : [])].join(', ');
export const NOTIFY = 'E-mail everybody who gets less, once';
export const LIMITED = 'From then on, customers cannot order more of it than came, and staff are asked first.';
export const lowerText = (orders: number): string => `Lower ${counted(orders, 'order')}`;
export const loweredText = (orders: number): string => `${counted(orders, 'order')} lowered`;
export const sharedText = (product: string, units: number): string => `${counted(units, 'unit')} of ${product} shared out.`;
