// These tests check the explanations on the screens of a distribution: states, empty tabs, and consequences of actions.
// @module-tag long
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../../test/data/factories.ts';
import { makeOrder, pay, weigh } from '../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../test/screen.tsx';
import { setupTestApp, type Person } from '../../test/test-app.ts';
import { ReportPage } from '../features/reports/page/report-page.tsx';
import type { Row } from '../server/database/schema.ts';
import { DistributionDetail } from './distribution-detail.tsx';

const testApp = setupTestApp();
// The time limit is longer than usual, because the test visits many screens.
vi.setConfig({ testTimeout: 90_000 });
let distributor: Person;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
});

const missing = (texts: readonly string[]): string[] => {
  const placeholders = [...document.querySelectorAll('[placeholder]')].map((field) => field.getAttribute('placeholder'));
  const titles = [...document.querySelectorAll('[title]')].map((element) => element.getAttribute('title'));
  const said = [document.body.textContent, ...placeholders, ...titles].join('\n');
  return texts.filter((text) => !said.includes(text));
};
const says = async (...texts: readonly string[]): Promise<void> => await waitFor(() => expect(missing(texts)).toEqual([]));
const press = (name: string | RegExp): void => void fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement);
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });

async function open({ id }: Row<'distributions'>): Promise<(tab: string) => void> {
  const go = (tab: string): void => navigate(`/distributor/distribution/${id}?tab=${tab}`);
  go('distribution-info');
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', DistributionDetail);
  await says('Name and date');
  return go;
}

test('the distribution page explains that a distribution is a draft, and states on each tab what is missing and how to add it', async () => {
  await makeCustomer(testApp.db, distributor);
  const go = await open(await makeDistribution(testApp.db, distributor, { published: false, date: '2020-04-08' }));
  await says('Only you and your agents see this distribution. Publish it when products, prices and fees are ready.');
  await says('There are no products yet: customers will find nothing to order.', 'Wed, Apr 8, 2020 has passed already.');
  await says('Not open yet', 'Customers can order as soon as the distribution is published.');
  await says('Not accepting', 'Nobody can enter weights. Start when the goods are on the scale.');
  type('Date', '2020-04-09');
  await says('This day has passed already.');
  press('Discard');
  press('Publish');
  await says('Customers can place orders and change them until you close ordering.');
  press('Close Ordering');
  expect(missing(['Counting the orders…'])).toEqual([]);
  await says(
    'Ordering cannot be opened again. Customers will no longer place or change an order; you and your agents can still edit the orders.',
    '0 out of 1 orders placed.',
  );
  press('Cancel');
  go('products');
  await says('No products found. Add one or upload a CSV file to get started.');
  press('Upload CSV');
  await says(
    'Upload Products',
    'A file from Download CSV can be changed in a spreadsheet and uploaded again: a row updates the product of its id, or else of its product_code, and is new otherwise. Excel and Google Sheets files must be saved as CSV.',
  );
  press('Close');
  go('fees');
  await says('No fees yet. An order comes to what its products cost.', 'Charged on every order, in this order');
  await says('Flat amount', 'in dollars per order', 'lowest is charged first');
  fireEvent.change(screen.getByLabelText('Type'), { target: { value: 'percent' } });
  type('Amount', 'much');
  type('Sort order', 'first');
  press('Add Fee');
  await says('in percent', 'Type a percentage, such as 3 or 2.5', 'Sort order must be a whole number');
  press('Price changes');
  await says('What has changed the amounts of orders that were already placed: prices of ordered products, and fees.');
  await says('No price or fee has changed since the first order.');
  press('Close');
  go('customers&view=not-weighed');
  await says('Every order that has to be weighed is weighed.');
  go('customers&view=not-paid');
  await says('Every order is paid.');
  go('customers&view=refund-due');
  await says('No refund is due.');
  go('report');
  await says('Nothing has been ordered yet. This table lists what customers order, one line per product.');
  go('payments');
  await says('No payments yet. What you record on the Customers tab appears here.');
  go('actuals');
  await says('Nothing to weigh yet. This table lists every ordered unit of a product sold by weight.');
});

test('the distribution page names the time at which ordering closes, if that time is set (contract §11)', async () => {
  await open(await makeDistribution(testApp.db, distributor, { closesAt: '2099-04-05T00:00:00.000Z' }));
  await says('Customers can place orders and change them until Sun, Apr 5, 12:00 AM UTC, or until you close ordering earlier.');
});

/**
 * Creates a published distribution during weighing. It has two roasts of which one is weighed, two fees with different rules, and a card
 * payment.
 */
async function holiday(): Promise<Row<'distributions'>> {
  const distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover 2027', orderingOpen: false, acceptActuals: true });
  const beef = { name: 'Brisket', unit_price: 1000, unit_qty: 5, unit_qty_is_estimate: true, product_code: 1001 };
  const brisket = await makeProduct(testApp.db, distribution, beef as Partial<Row<'products'>>);
  const wine = await makeProduct(testApp.db, distribution, { name: 'Wine', product_code: 7101, product_group: 'Wine', uom: 'bottle' });
  await makeFee(testApp.db, distribution, { name: 'Hall', amount: 500, sort_order: 0 });
  await makeFee(testApp.db, distribution, { name: 'Service', type: 'percent', amount: 300, sort_order: 1 });
  const rivka = await makeCustomer(testApp.db, distributor);
  const { lines } = await makeOrder(testApp.db, distribution, rivka, [[brisket, 2]]);
  await weigh(testApp.db, lines[0], [4.5], distributor);
  const dina = await makeCustomer(testApp.db, distributor, { firstName: 'Dina', lastName: 'Cohen' });
  const { id: orderId } = await makeOrder(testApp.db, distribution, dina, [[wine, 2]]);
  const card = { paymentMethod: 'Credit Card', feeAmount: 20, description: 'Visa 4242' } as unknown as { paymentMethod: 'Cash' };
  await pay(testApp.db, distribution, { orderId, amount: 1000, by: distributor, ...card });
  return distribution;
}

test('the distribution page explains the figures on each tab, and the consequences of each answer to the questions about weights and payments (contract §4, §6, §7)', async () => {
  const go = await open(await holiday());
  await says('Your customers see this distribution with its products and prices.', 'Accepting actuals');
  await says('Closed for customers, still editable by staff. Ordering cannot be opened again.');
  await says('Weights can be entered: by you and your agents, and by customers for their own order until its first payment.');
  go('products');
  await says('Name, code or description', '* The quantity is an estimate; the final price goes by weight.');
  press('Edit Brisket');
  await says('Edit Product', 'The quantity is an estimate', '0: no maximum');
  await says('Each unit is weighed; its final price is the weight times the unit price.');
  press('Cancel');
  press(/^Clear quantities of Brisket/);
  await says('Clear the quantities of Brisket?', 'Every ordered quantity of Brisket becomes 0');
  press('Cancel');
  go('fees');
  await says('With these fees the order page and the printed order come to different totals.', 'Percent · Sort order 1');
  await says(
    'The order page charges each fee on the subtotal. The printed order and the balance charge them one after another, each on what has been added up so far.',
  );
  await says('Example: products for $100.00 come to $108.00 on the order page and to $108.15 on the printed order.');
  type('Name', 'Delivery');
  type('Amount', '7.50');
  press('Add Fee');
  await says('Add the fee Delivery?', 'This re-prices 2 orders', 'Orders of', 'With payments', 'Together');
  press('Cancel');
  go('customers&view=not-ordered');
  await says('Every customer has placed an order.', 'Customers', '0 of 2 customers');
  go('customers&view=not-paid&customers.name=zzz');
  await says('Nobody in "Not paid" matches "zzz".', 'Show all');
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1) as HTMLElement);
  await says('2 customers');
  go('customers&view=not-paid&customers.name=yyy');
  await says('Nobody in "Not paid" matches "yyy".');
  press('Show all');
  await says('No customers match "yyy".');
  go('customers&view=all');
  await says('estimated: not everything is weighed yet', '2 out of 2 orders placed', '1 of 2');
  expect(screen.getByLabelText('Print Order of Cohen, Dina')).toBeTruthy();
  press(/^Record payment of Cohen, Dina/);
  fireEvent.change(await screen.findByLabelText('Payment method'), { target: { value: 'Credit Card' } });
  await says('such as the last four digits of the card', 'in percent, on top', 'with a card fee of');
  fireEvent.change(screen.getByLabelText('Payment method'), { target: { value: 'Check' } });
  await says('such as the number of the check');
  fireEvent.change(screen.getByLabelText('Payment method'), { target: { value: 'Other' } });
  await says('how it was paid');
  press('Close');
  go('payments');
  await says('1 payment', '+ $0.20 card fees', 'Card fee');
  press(/^Reverse the payment of \$10\.00 by Cohen, Dina/);
  await says('Credit Card payment of $10.00 by Cohen, Dina. $10.20 is given back', 'such as: typed for the wrong family');
  await says('It stays in the list, and a second row takes it back. This cannot be undone.');
  type('Reason', 'typed twice');
  press('Reverse $10.20');
  await says('Payment reversed', '$10.00 by Cohen, Dina no longer counts.', '1 reversal');
  go('actuals');
  await says('1 of 2 weighed', 'Recorded', `${distributor.email} (distributor)`);
});

test('the report page has the headings for purchase list, packing lists, and payments and balances (contract §9)', async () => {
  const { id } = await holiday();
  const go = (tab: string): void => navigate(`/distributor/distribution/${id}/report?tab=${tab}`);
  go('supply');
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/report', ReportPage);
  await says('Back to Distribution', 'Suppliers', 'To buy from suppliers', '4 units of 2 products in 2 groups');
  await says('Units by group', 'Weight by group, in lb', 'Still estimated', 'Per unit', 'about 5 lb', 'Estimated weight', 'Weighed so far');
  go('packing');
  await says('Who gets what', 'By customer', '2 ordered lines', 'Download packing lists', '2 customers');
  press('By product');
  await says('2 products');
  go('money');
  await says('Money in and money due', 'Paid on orders', 'Card fees', 'Due, estimated', 'Taken', 'Received', '2 open orders');
  const figures = within(screen.getByText('Refunds due').closest('dl') as HTMLElement);
  expect(figures.getByText('with $0.20 of card fees')).toBeTruthy();
  expect(figures.getByText(/^\$\d+\.\d\d of it is an estimate until all is weighed$/)).toBeTruthy();
  expect(figures.getByText('to customers who paid too much')).toBeTruthy();
});
