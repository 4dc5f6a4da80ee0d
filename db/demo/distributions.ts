// Defines the demo's three distributions: a past one, one that is being weighed, and one that is open for orders.
import type { CatalogueProduct } from './catalogue-rows.ts';

interface DemoFee {
  readonly name: string;
  readonly type: 'percent' | 'flat';
  readonly sort_order: number;
  readonly amount: number;
}

export interface DemoDistribution {
  readonly name: string;
  readonly date: string;
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly acceptActuals: boolean;
  readonly fees: readonly DemoFee[];
  /** The share of the customers who place an order. */
  readonly share: number;
  /** The share of the orders that are weighed. */
  readonly weighed: number;
  /** The share of the weighed orders that are paid. */
  readonly paid: number;
  readonly seed: number;
  /** The products of this distribution, if they are not the demo's catalogue. */
  readonly catalogue?: readonly CatalogueProduct[];
}

const HALL: DemoFee = { name: 'Hall and ice', type: 'flat', sort_order: 1, amount: 500 };

export const DISTRIBUTIONS: readonly DemoDistribution[] = [
  {
    name: 'Rosh Hashanah 2026',
    date: '2026-09-08',
    published: true,
    orderingOpen: false,
    acceptActuals: false,
    fees: [HALL],
    share: 0.3,
    weighed: 1,
    paid: 1,
    seed: 5787,
  },
  {
    name: 'Hanukkah 2026',
    date: '2026-12-02',
    published: true,
    orderingOpen: false,
    acceptActuals: true,
    fees: [{ name: 'Service', type: 'percent', sort_order: 0, amount: 300 }, HALL],
    share: 0.3,
    weighed: 0.6,
    paid: 0.5,
    seed: 57871,
  },
  {
    name: 'Passover 2027',
    date: '2027-04-15',
    published: true,
    orderingOpen: true,
    acceptActuals: false,
    fees: [{ name: 'Service', type: 'percent', sort_order: 0, amount: 300 }, HALL],
    share: 0.42,
    weighed: 0,
    paid: 0,
    seed: 5787001,
  },
];

/** The name of the distribution for which the demo starts a rehearsal. */
export const REHEARSED = 'Hanukkah 2026';
