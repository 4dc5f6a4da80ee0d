import { CUSTOMERS } from './customers.ts';
import { DISTRIBUTION } from './distribution.ts';
import { PEOPLE } from './people.ts';
import type { Sight } from './setup/visual-state.ts';

/** Every sight by area. */
export const SIGHTS: Readonly<Record<'customers' | 'people' | 'distribution', readonly Sight[]>> = {
  customers: CUSTOMERS,
  people: PEOPLE,
  distribution: DISTRIBUTION,
};
