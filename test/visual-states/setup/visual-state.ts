// A visual state is one screen in one state, described by the steps that lead to it. To add one, append an entry to the list of its area
// (customers.ts, people.ts, distribution.ts): { name: 'customer-dashboard-offline', as: 'customer', rows: 'few', open: at('/customer',
// offline) }. `at` opens a path and takes the following steps in order; steps.ts has the usual ones (press, type, answered, offline). All
// states of a run share a data set, so none may save anything: `answered` replies instead of the server. `width` restricts a state to
// phones or desktops. npm run gallery -- -g customer-dashboard-offline photographs it at 375, 768 and 1280 px, light and dark.
// test/e2e/visual-states.spec.ts checks every state for accessibility.
import type { Page } from '@playwright/test';
import type { Db } from '../../../src/server/database/db.ts';
import type { Person } from '../../test-app.ts';

/** customer has an order in the distribution being weighed, neighbour also in the open one, newcomer has no contact yet. */
export type Who = 'admin' | 'distributor' | 'agent' | 'customer' | 'neighbour' | 'newcomer';
/** none: an empty tenant; few: a realistic holiday; many: 500 customers, 500 products, 500 orders, 475 payments. */
export type Rows = 'none' | 'few' | 'many';

/** The ids in a data set; 0 for records it lacks. */
export interface Places {
  /** Distributions: `open` accepts orders, `weighing` accepts weights, `past` is paid, `draft` is empty. */
  readonly open: number;
  readonly weighing: number;
  readonly past: number;
  readonly draft: number;
  /** Of `weighing`. */
  readonly rehearsal: number;
  /** Orders of `weighing` by state; `mine` is the neighbor's, unweighed. */
  readonly orders: Readonly<Record<'unweighed' | 'partly' | 'weighed' | 'paid' | 'refund' | 'mine', number>>;
}

export interface VisualStateData extends Places {
  readonly url: string;
  readonly db: Db;
  readonly people: Readonly<Record<Who, Person>>;
}

export interface VisualState {
  /** The name of the picture: lower case letters and hyphens. */
  readonly name: string;
  readonly as: Who | 'nobody';
  readonly rows: Rows;
  readonly width?: 'phone' | 'desk';
  /** Leads from an empty page with a session to the screen in its state, fully loaded. */
  readonly open: (page: Page, world: VisualStateData) => Promise<void>;
}

export const NOWHERE: Places = {
  open: 0,
  weighing: 0,
  past: 0,
  draft: 0,
  rehearsal: 0,
  orders: { unweighed: 0, partly: 0, weighed: 0, paid: 0, refund: 0, mine: 0 },
};
