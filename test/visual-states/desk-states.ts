// Lists the visual states of the screens on which staff see the orders of a distribution: customers, payments, reports and editing (spec
// §2).
import type { VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { after, at, press, reads, refused, saved, type, unanswered, waits, type Step } from './setup/steps.ts';

type Which = 'open' | 'weighing' | 'past' | 'draft';
const tab =
  (name: string, of: Which = 'weighing', more = '') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}?tab=${name}${more}`;
const report =
  (part: string, of: Which = 'weighing') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}/report?tab=${part}`;
const edit =
  (role: 'distributor' | 'agent', who: Who, of: Which = 'open') =>
  (ids: VisualStateData): string =>
    `/${role}/edit-order/${ids[of]}/${ids.people[who].id}`;

const customers = '**/api/distributions/*/customer-report?*';
const pageData = '**/api/distributor-order-page-data/**';

const inDialog =
  (name: string | RegExp): Step =>
  async (page) =>
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const pay: Step = async (page) =>
  await page
    .getByRole('button', { name: /^Record payment/, disabled: false })
    .first()
    .click();
const method =
  (name: string): Step =>
  async (page) =>
    await page.getByLabel('Payment method').selectOption(name);

/** Types a quantity for the first product. The customer `neighbour`, whose order is edited, has ordered 3 units of this product. */
const quantity = (text: string): Step => type(/^Quantity of/, text);
const nothing: Step = async (page) => {
  for (const field of await page.getByRole('spinbutton', { name: /^Quantity of/ }).all()) await field.fill('0');
};
const update: Step = async (page) => await page.getByRole('button', { name: 'Update Order' }).filter({ visible: true }).first().click();
const history: Step = async (page) => await page.getByText('History', { exact: true }).click();

const DISTRIBUTOR: Record<string, VisualState['open']> = {
  'orders-not-ordered': at(tab('customers', 'weighing', '&view=not-ordered')),
  'orders-all-weighed': at(tab('customers', 'past', '&view=not-weighed')),
  'orders-refund': at(tab('customers', 'weighing', '&view=refund-due')),
  'orders-filtered': at(tab('customers'), type('Name, e-mail or phone', 'cohen'), reads('Download filtered')),
  'orders-no-match': at(tab('customers'), type('Name, e-mail or phone', 'zz'), reads('No customers match "zz".')),
  'orders-not-weighing': at(tab('customers', 'open')),
  'orders-loading': after(unanswered(customers), waits(tab('customers'))),
  'orders-failed': after(refused(customers), at(tab('customers'))),

  'pay-card': at(tab('customers'), pay, method('Credit Card')),
  'pay-faults': at(tab('customers'), pay, method('Check'), type('Amount', '999999'), inDialog('Pay Now'), reads(/^The payment is above/)),
  'pay-refused': at(
    tab('customers'),
    saved('**/api/orders/*/payments', 409, 'Are all the weights entered?'),
    pay,
    inDialog('Pay Now'),
    reads('409: Are all the weights entered?'),
  ),
  'pay-done': at(
    tab('customers'),
    saved('**/api/orders/*/payments', 201, {
      id: 900,
      orderId: 1,
      amount: 100,
      feeAmount: 0,
      paymentMethod: 'Cash',
      description: null,
      createdAt: '2026-12-02T15:04:00.000Z',
      createdBy: 1,
      updatedAt: '2026-12-02T15:04:00.000Z',
      updatedBy: 1,
      reversesId: null,
      isReversed: false,
    }),
    pay,
    inDialog('Pay Now'),
    reads('Payment recorded successfully'),
  ),
  'reverse-faults': at(tab('payments'), press(/^Reverse/), inDialog(/^Reverse \$/), reads('Say why it is reversed')),
  'payments-no-match': at(tab('payments', 'weighing', '&payments.customer=zz')),
  'report-tab-no-match': at(tab('report', 'weighing', '&report.product=zz')),
  'report-tab-filtered': at(tab('report', 'weighing', '&report.category=beef')),
  'actuals-no-match': at(tab('actuals', 'weighing', '&actuals.product=zz')),
  'actuals-unusual': at(tab('actuals', 'weighing', '&actuals.state=unusual')),
  'report-tab-loading': after(unanswered('**/api/distributions/*/report?*'), waits(tab('report'))),
  'payments-failed': after(refused('**/api/distributions/*/payments?*'), at(tab('payments'))),

  'report-packing': at(report('packing')),
  'report-by-product': at(report('packing'), press('By product')),
  'report-money': at(report('money')),
  'report-packing-none': at(report('packing', 'draft')),
  'report-money-none': at(report('money', 'draft')),
  'report-money-estimated': at(report('money', 'open')),
  'report-estimates': at(report('estimates')),
  'report-loading': after(unanswered('**/api/distributions/*/actuals-report?*'), waits(report('supply'))),
  'report-failed': after(refused('**/api/distributions/*/actuals-report?*'), at(report('supply'))),

  'edit-order-typed': at(edit('distributor', 'neighbour'), quantity('2'), reads('Total')),
  'edit-order-above-max': at(edit('distributor', 'neighbour'), quantity('99')),
  'edit-order-new': at(edit('distributor', 'customer')),
  'edit-order-weighed': at(edit('distributor', 'neighbour', 'past')),
  'edit-order-ordered': at(edit('distributor', 'neighbour'), press(/^Ordered/)),
  'edit-order-no-match': at((ids) => `${edit('distributor', 'neighbour')(ids)}?order.name=zz`),
  'edit-order-history': at(edit('distributor', 'neighbour', 'past'), history, reads('When')),
  'edit-order-no-change': at(edit('distributor', 'neighbour'), update, reads('No changes made')),
  'edit-order-leave': at(edit('distributor', 'neighbour'), quantity('2'), press('Cancel'), reads('Leave without saving?')),
  'edit-order-cancel-all': at(edit('distributor', 'neighbour'), nothing, update, reads(/^Cancel the order of/)),
  'edit-order-drop-weights': at(
    edit('distributor', 'neighbour', 'past'),
    press(/^Ordered/),
    nothing,
    quantity('1'),
    update,
    reads(/will be dropped/),
  ),
  'edit-order-draft': at(edit('distributor', 'neighbour'), quantity('2'), async (page) => await page.reload(), reads(/^Restore/)),
  'edit-order-pay': at(edit('distributor', 'neighbour'), press('Pay Now')),
  'edit-order-empty': at(edit('distributor', 'neighbour', 'draft')),
  'edit-order-missing': at(({ open }) => `/distributor/edit-order/${open}/999999`),
  'edit-order-loading': after(unanswered(pageData), waits(edit('distributor', 'neighbour'))),
  'edit-order-failed': after(refused(pageData), at(edit('distributor', 'neighbour'))),
};

const AGENT: Record<string, VisualState['open']> = {
  'agent-orders-open': at(({ open }) => `/agent/distribution/${open}`),
  'agent-orders-none': at(({ draft }) => `/agent/distribution/${draft}`),
  'agent-orders-failed': after(
    refused(customers),
    at(({ open }) => `/agent/distribution/${open}`),
  ),
  'agent-loading': after(unanswered('**/api/distributions'), waits('/agent')),
  'agent-failed': after(refused('**/api/distributions'), at('/agent')),
};

const MANY: Record<string, VisualState['open']> = {
  'report-packing-many': at(report('packing')),
  'report-money-many': at(report('money')),
};

const statesOf = (as: Who, rows: VisualState['rows'], opens: Record<string, VisualState['open']>): VisualState[] =>
  Object.entries(opens).map(([name, open]) => ({ name, as, rows, open }));

export const DESK_STATES: readonly VisualState[] = [
  ...statesOf('distributor', 'few', DISTRIBUTOR),
  ...statesOf('agent', 'few', AGENT),
  ...statesOf('distributor', 'many', MANY),
  { name: 'agent-orders-many', as: 'agent', rows: 'many', open: at(({ weighing }) => `/agent/distribution/${weighing}`) },
];
