// Lists the visual states of the print pages, as a user sees them before printing (spec §2; contract §7).
import type { VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { after, answered, at, reads, unanswered } from './setup/steps.ts';

const own = ({ weighing }: VisualStateData): string => `/customer/print-order/${weighing}`;
const sheet = ({ open }: VisualStateData): string => `/customer/print-pricesheet/${open}`;
const all = ({ weighing }: VisualStateData): string => `/distributor/distribution/${weighing}/print-orders`;
const BROKEN = 'Something went wrong on our side.';

const state = (name: string, open: VisualState['open'], as: Who = 'customer', rows: VisualState['rows'] = 'few'): VisualState => ({
  name,
  as,
  rows,
  open,
});

export const PRINTING: readonly VisualState[] = [
  state('print-own-order', at(own)),
  state(
    'print-own-order-paid',
    at(({ past }) => `/customer/print-order/${past}`),
  ),
  state(
    'print-own-order-missing',
    at(({ draft }) => `/customer/print-order/${draft}`, reads('Not Found')),
  ),
  state('print-own-order-failed', after(answered('**/api/customer-print-order/*', 500, BROKEN), at(own))),
  state(
    'print-own-order-loading',
    after(unanswered('**/api/customer-print-order/*'), async (page, ids) => {
      await page.goto(ids.url + own(ids));
      await reads('Loading...')(page, ids);
    }),
  ),
  state('price-sheet', at(sheet)),
  state('price-sheet-many', at(sheet), 'customer', 'many'),
  state('price-sheet-empty', after(answered('**/products', 200, []), at(sheet))),
  state('price-sheet-missing', at('/customer/print-pricesheet/999999', reads('Not Found'))),
  state(
    'print-order',
    at(({ orders }) => `/distributor/print-order/${orders.weighed}`),
    'distributor',
  ),
  state(
    'print-order-partly',
    at(({ orders }) => `/distributor/print-order/${orders.partly}`),
    'distributor',
  ),
  state(
    'print-order-refund',
    at(({ orders }) => `/distributor/print-order/${orders.refund}`),
    'distributor',
  ),
  state('print-orders', at(all), 'distributor'),
  state(
    'print-orders-none',
    at(({ draft }) => `/distributor/distribution/${draft}/print-orders`),
    'distributor',
  ),
  state(
    'print-order-agent',
    at(({ orders }) => `/agent/print-order/${orders.partly}`),
    'agent',
  ),
];
