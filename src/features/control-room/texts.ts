// The UI texts of the control room (contract §14).
import { counted, numberText } from '../../shared/counted.ts';

export const CONTROL_ROOM = 'Control room';
/** Shown while the server does not reply, so that nobody takes old figures for current ones. */
export const figuresFromText = (time: string): string => `Figures are from ${time}.`;
export const ofOrdersText = (orders: number): string => `of ${counted(orders, 'order')}`;
export const FIGURES = { weighed: 'weighed', paid: 'paid', pickedUp: 'picked up' } as const;
export const FINISH = 'Projected finish';
export const FINISHED = 'Everything is picked up';
export const NO_PACE = 'Projected finish: no pick-up in the last half hour';
/** The no-break space keeps AM or PM on the same line as the time. */
export const finishText = (time: string): string => `about ${time.replace(' ', '\u00a0')}`;
export const PER_HELPER = 'By helper';
export const HELPERS_NOUN = 'helpers';
export const NO_HELPERS = 'Nobody has recorded anything yet.';
export const PER_STEP = 'Every ten minutes';
export const STEPS_NOUN = 'steps';
export const UNWEIGHED = 'Not weighed yet';
export const unweighedUnitsText = (weighed: number, units: number): string => `${numberText(weighed)} of ${counted(units, 'unit')} weighed`;
export const PRODUCTS_NOUN = 'products';
export const moreProductsText = (count: number): string => `And ${counted(count, 'more product')}.`;
export const ALL_WEIGHED = 'Everything is weighed.';
export const HEADERS = {
  helper: 'Helper',
  weighed: 'Weights',
  paid: 'Payments',
  pickedUp: 'Picked up',
  step: 'From',
  code: 'Code',
  product: 'Product',
  units: 'Units',
} as const;
