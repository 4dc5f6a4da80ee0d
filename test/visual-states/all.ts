import { CUSTOMERS } from './customers.ts';
import { DISTRIBUTION } from './distribution.ts';
import { PEOPLE } from './people.ts';
import type { VisualState } from './setup/visual-state.ts';

export const VISUAL_STATES: Readonly<Record<'customers' | 'people' | 'distribution', readonly VisualState[]>> = {
  customers: CUSTOMERS,
  people: PEOPLE,
  distribution: DISTRIBUTION,
};
