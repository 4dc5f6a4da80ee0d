// Defines what a visual state is: one screen in one state, described by the steps that lead to it. To add a state, append an entry to the
// list of its area (customers.ts, people.ts, distribution.ts): { name: 'customer-dashboard-offline', as: 'customer', rows: 'few', open:
// at('/customer', offline) }. `at` opens a path and then runs the steps that follow it. steps.ts has the usual steps (press, type,
// answered, offline). All states of a run share a data set, so no state may save anything: `answered` replies in place of the server.
// `width` restricts a state to phones or desktops. npm run gallery -- -g customer-dashboard-offline takes screenshots of this state at 375,
// 768 and 1280 px, in light and dark colors. test/e2e/visual-states.spec.ts checks the accessibility of every state.
import type { Page } from '@playwright/test';
import type { Person } from '../../test-app.ts';
import type { TestDb } from '../../database/test-db.ts';

/**
 * The user who is signed in. `customer` has an order in the distribution that is being weighed. `neighbour` has an order in that
 * distribution and in the open one. `newcomer` has no contact yet.
 */
export type Who = 'admin' | 'distributor' | 'agent' | 'customer' | 'neighbour' | 'newcomer';
/**
 * The data set. `none` is a tenant with users only. `few` is a realistic holiday. `many` has 500 customers, 500 products, 500 orders and
 * 475 payments.
 */
export type Rows = 'none' | 'few' | 'many';

/** The ids of records in a data set. An id is 0 if the data set has no such record. */
export interface Places {
  /** The ids of four distributions: `open` accepts orders, `weighing` accepts weights, `past` is paid, and `draft` is empty. */
  readonly open: number;
  readonly weighing: number;
  readonly past: number;
  readonly draft: number;
  /** The id of the rehearsal of `weighing`. */
  readonly rehearsal: number;
  /** The ids of orders in `weighing`, by their state. `mine` is the neighbor's order, which is not weighed. */
  readonly orders: Readonly<Record<'unweighed' | 'partly' | 'weighed' | 'paid' | 'refund' | 'mine', number>>;
}

export interface VisualStateData extends Places {
  readonly url: string;
  readonly db: TestDb;
  readonly people: Readonly<Record<Who, Person>>;
}

export interface VisualState {
  /** The name of the state and of its screenshots. It consists of lower case letters and hyphens. */
  readonly name: string;
  readonly as: Who | 'nobody';
  readonly rows: Rows;
  readonly width?: 'phone' | 'desk';
  /** Opens the screen in its state and waits until it is loaded. The page is empty at first, and the user already has a session. */
  readonly open: (page: Page, ids: VisualStateData) => Promise<void>;
}

export const NOWHERE: Places = {
  open: 0,
  weighing: 0,
  past: 0,
  draft: 0,
  rehearsal: 0,
  orders: { unweighed: 0, partly: 0, weighed: 0, paid: 0, refund: 0, mine: 0 },
};
