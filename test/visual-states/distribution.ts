// Lists the visual states of a distribution: all its tabs, and the screens on which staff edit orders, weigh and record payments.
import type { Page } from '@playwright/test';
import type { VisualState, VisualStateData } from './setup/visual-state.ts';
import { CATALOGUE_STATES } from './catalogue-states.ts';
import { COUNTER_STATES } from './counter-states.ts';
import { DESK_STATES } from './desk-states.ts';
import { TILL_STATES } from './till-states.ts';
import { ORGANISER_STATES } from './organizer-states.ts';
import { EDIT_ONE_PRODUCT, at, press } from './setup/steps.ts';

const tab =
  (name: string, of: 'open' | 'weighing' | 'draft' | 'rehearsal' = 'weighing') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}?tab=${name}`;
const report =
  (of: 'weighing' | 'draft') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}/report`;

const weigh =
  (role: 'distributor' | 'agent', state: keyof VisualStateData['orders']) =>
  ({ orders }: VisualStateData): string =>
    `/${role}/orders/${orders[state]}/actual-quantities`;
const edit =
  (role: 'distributor' | 'agent') =>
  ({ open, people }: VisualStateData): string =>
    `/${role}/edit-order/${open}/${people.neighbour.id}`;

const pay = async (page: Page): Promise<void> =>
  await page
    .getByRole('button', { name: /^Record payment/, disabled: false })
    .first()
    .click();

export const DISTRIBUTION: readonly VisualState[] = [
  { name: 'info', as: 'distributor', rows: 'few', open: at(tab('distribution-info', 'open')) },
  { name: 'info-draft', as: 'distributor', rows: 'few', open: at(tab('distribution-info', 'draft')) },
  { name: 'info-weighing', as: 'distributor', rows: 'few', open: at(tab('distribution-info')) },
  { name: 'rehearse', as: 'distributor', rows: 'many', open: at(tab('distribution-info', 'open')) },
  { name: 'rehearsal', as: 'distributor', rows: 'few', open: at(tab('distribution-info', 'rehearsal')) },
  { name: 'close-ordering', as: 'distributor', rows: 'few', open: at(tab('distribution-info', 'open'), press('Close Ordering')) },
  { name: 'copy', as: 'distributor', rows: 'few', open: at(tab('distribution-info'), press('Copy')) },
  { name: 'products-none', as: 'distributor', rows: 'few', open: at(tab('products', 'draft')) },
  { name: 'products', as: 'distributor', rows: 'few', open: at(tab('products', 'open')) },
  { name: 'products-many', as: 'distributor', rows: 'many', open: at(tab('products', 'open')) },
  { name: 'add-product', as: 'distributor', rows: 'few', open: at(tab('products', 'open'), press('Add Product')) },
  { name: 'edit-product', as: 'distributor', rows: 'few', open: at(tab('products', 'open'), press(EDIT_ONE_PRODUCT)) },
  { name: 'upload-products', as: 'distributor', rows: 'few', open: at(tab('products', 'open'), press('Upload CSV')) },
  { name: 'fees-none', as: 'distributor', rows: 'few', open: at(tab('fees', 'draft')) },
  { name: 'fees', as: 'distributor', rows: 'few', open: at(tab('fees', 'open')) },
  { name: 'price-changes', as: 'distributor', rows: 'few', open: at(tab('fees', 'open'), press('Price changes')) },
  { name: 'orders-none', as: 'distributor', rows: 'few', open: at(tab('customers', 'draft')) },
  { name: 'orders', as: 'distributor', rows: 'few', open: at(tab('customers')) },
  { name: 'orders-many', as: 'distributor', rows: 'many', open: at(tab('customers')) },
  { name: 'pay', as: 'distributor', rows: 'few', open: at(tab('customers'), pay) },
  { name: 'report-tab-none', as: 'distributor', rows: 'few', open: at(tab('report', 'draft')) },
  { name: 'report-tab', as: 'distributor', rows: 'few', open: at(tab('report')) },
  { name: 'report-tab-many', as: 'distributor', rows: 'many', open: at(tab('report')) },
  { name: 'payments-none', as: 'distributor', rows: 'few', open: at(tab('payments', 'draft')) },
  { name: 'payments', as: 'distributor', rows: 'few', open: at(tab('payments')) },
  { name: 'payments-many', as: 'distributor', rows: 'many', open: at(tab('payments')) },
  { name: 'reverse-payment', as: 'distributor', rows: 'few', open: at(tab('payments'), press(/^Reverse/)) },
  { name: 'actuals-none', as: 'distributor', rows: 'few', open: at(tab('actuals', 'draft')) },
  { name: 'actuals', as: 'distributor', rows: 'few', open: at(tab('actuals')) },
  { name: 'actuals-many', as: 'distributor', rows: 'many', open: at(tab('actuals')) },
  { name: 'report-none', as: 'distributor', rows: 'few', open: at(report('draft')) },
  { name: 'report', as: 'distributor', rows: 'few', open: at(report('weighing')) },
  { name: 'report-many', as: 'distributor', rows: 'many', open: at(report('weighing')) },

  { name: 'edit-order', as: 'distributor', rows: 'few', open: at(edit('distributor')) },
  { name: 'edit-order-many', as: 'distributor', rows: 'many', open: at(edit('distributor')) },
  { name: 'weighing', as: 'distributor', rows: 'few', open: at(weigh('distributor', 'partly')) },
  { name: 'weighing-paid', as: 'distributor', rows: 'few', open: at(weigh('distributor', 'paid')) },

  { name: 'agent-orders', as: 'agent', rows: 'few', open: at(({ weighing }) => `/agent/distribution/${weighing}`) },
  { name: 'agent-edit-order', as: 'agent', rows: 'few', open: at(edit('agent')) },
  { name: 'agent-weighing', as: 'agent', rows: 'few', open: at(weigh('agent', 'unweighed')) },
  ...CATALOGUE_STATES,
  ...COUNTER_STATES,
  ...DESK_STATES,
  ...TILL_STATES,
  ...ORGANISER_STATES,
];
