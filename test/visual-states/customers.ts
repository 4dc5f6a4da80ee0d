// Lists the visual states of the sign-in screen, the customer's screens, and the print pages.
import type { Page } from '@playwright/test';
import { ORDERING } from './ordering.ts';
import { PRINTING } from './printing.ts';
import type { VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { SIGNING_IN } from './accounts/signing-in.ts';
import { after, answered, at, offline, press, reads, unanswered, waits, type Step } from './setup/steps.ts';

const weighing = ({ orders }: VisualStateData): string => `/customer/orders/${orders.mine}/actual-quantities`;
const contact = '/customer/contact-info';

const typeWeights =
  (...weights: readonly string[]) =>
  async (page: Page): Promise<void> => {
    const fields = page.locator('input[inputmode="decimal"]');
    for (const [place, weight] of weights.entries()) await fields.nth(place).fill(weight);
    await fields.nth(weights.length).focus();
  };

/** Changes fields of the reply from which a customer's weighing page gets its order. */
const weighingIs =
  (change: object): Step =>
  async (page, { orders }) =>
    await page.route(`**/api/order-for-actuals/${orders.mine}`, async (route) => {
      await route.fulfill({ json: { ...((await (await route.fetch()).json()) as object), ...change } });
    });

const openMenu: Step = async (page) =>
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();

const state = (name: string, open: VisualState['open'], as: Who = 'customer', rows: VisualState['rows'] = 'few'): VisualState => ({
  name,
  as,
  rows,
  open,
});

export const CUSTOMERS: readonly VisualState[] = [
  ...SIGNING_IN,
  state('customer-dashboard-none', at('/customer'), 'customer', 'none'),
  state('customer-dashboard', at('/customer')),
  state('customer-dashboard-ordered', at('/customer'), 'neighbour'),
  state('customer-dashboard-many', at('/customer'), 'customer', 'many'),
  { ...state('customer-dashboard-closed', at('/customer', press('Edit Order'), reads('Ordering is closed'))), width: 'desk' },
  { ...state('customer-dashboard-menu', at('/customer', openMenu)), width: 'phone' },
  state('customer-dashboard-failed', after(answered('**/api/orders', 500, 'Something went wrong on our side.'), at('/customer'))),
  state('customer-dashboard-loading', after(unanswered('**/api/orders'), waits('/customer'))),
  state('customer-dashboard-offline', at('/customer', offline)),
  state('customer-account', at('/customer', press('Account'), reads('Signed in as'))),
  state('customer-account-invalid', at('/customer', press('Account'), press('Change password'), reads('Current password is required'))),
  state('customer-account-everywhere', at('/customer', press('Account'), press('Sign out everywhere'), reads('Sign out everywhere?'))),
  state('customer-contact-new', at(contact), 'newcomer'),
  state('customer-contact-invalid', at(contact, press('Save Contact Information'), reads('First name is required')), 'newcomer'),
  state('customer-contact', at(contact)),
  state('customer-contact-failed', after(answered('**/api/contact', 500, 'Something went wrong on our side.'), at(contact))),
  state('customer-contact-loading', after(unanswered('**/api/contact'), waits(contact))),
  ...ORDERING,
  state('customer-weighing', at(weighing), 'neighbour'),
  state('customer-weighing-typed', at(weighing, typeWeights('4.9', '50', 'five')), 'neighbour'),
  state(
    'customer-weighing-draft',
    at(weighing, typeWeights('4.9', '5.1'), (page) => page.reload(), reads('Restore 2 unsaved changes?')),
    'neighbour',
  ),
  state(
    'customer-weighing-closed',
    after(weighingIs({ whyNot: 'This distribution is not accepting actual quantities.' }), at(weighing)),
    'neighbour',
  ),
  state('customer-weighing-none', after(weighingIs({ products: [] }), at(weighing)), 'neighbour'),
  state('customer-weighing-missing', at('/customer/orders/999999/actual-quantities', reads('Order not found'))),
  state('customer-weighing-loading', after(unanswered('**/api/order-for-actuals/*'), waits(weighing)), 'neighbour'),
  ...PRINTING,
];
