// The states of the counter (contract §14).
import type { Page } from '@playwright/test';
import { at, press, reads, type } from './setup/steps.ts';
import type { VisualState, VisualStateData } from './setup/visual-state.ts';

const counter = ({ weighing }: VisualStateData): string => `/distributor/distribution/${weighing}/counter`;

/** Opens the family of this order. */
const family =
  (state: keyof VisualStateData['orders']) =>
  async (page: Page, { orders }: VisualStateData): Promise<void> => {
    const search = page.getByRole('combobox', { name: 'Find a family' });
    await search.fill(`FD1:${orders[state]}`);
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Money' }).waitFor();
  };

export const COUNTER_STATES: readonly VisualState[] = [
  { name: 'counter', as: 'distributor', rows: 'few', open: at(counter, reads(/picked up/)) },
  { name: 'counter-search', as: 'distributor', rows: 'few', open: at(counter, type('Find a family', 'a'), reads(/^Order/)) },
  {
    name: 'counter-no-match',
    as: 'distributor',
    rows: 'few',
    open: at(counter, type('Find a family', 'zzz'), reads('No family matches.')),
  },
  { name: 'counter-unweighed', as: 'distributor', rows: 'few', open: at(counter, family('unweighed')) },
  { name: 'counter-weighed', as: 'distributor', rows: 'few', open: at(counter, family('weighed')) },
  { name: 'counter-paid', as: 'distributor', rows: 'few', open: at(counter, family('paid')) },
  { name: 'counter-many', as: 'distributor', rows: 'many', open: at(counter, type('Find a family', '1'), reads(/^Order/)) },
  { name: 'counter-queue', as: 'distributor', rows: 'few', open: at(counter, press('Online')) },
  {
    name: 'counter-agent',
    as: 'agent',
    rows: 'few',
    open: at(({ weighing }) => `/agent/distribution/${weighing}/counter`, family('weighed')),
  },
  { name: 'counter-closed', as: 'distributor', rows: 'few', open: at(({ draft }) => `/distributor/distribution/${draft}/counter`) },
];
