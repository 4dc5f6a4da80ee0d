import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { expectReseeded } from '../../../../test/seeded-form.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { WeighingPage } from './weighing-page.tsx';

const USER = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };
const BRISKET = {
  orderProductId: 11,
  quantityOrdered: 2,
  productCode: 1001,
  name: 'Brisket',
  description: null,
  unit_price: 1699,
  unit_qty: 5,
  uom: 'lb',
  actuals: [],
};
const ORDER = {
  id: 5,
  distributionId: 9,
  distributionName: 'Passover 2027',
  distributionDate: '2027-04-15',
  email: 'rivka@mail.test',
  firstName: 'Rivka',
  lastName: 'Abramov',
  whyNot: null,
  products: [BRISKET],
};

beforeEach(freshDevice);

async function open(answer: Response): Promise<void> {
  navigate('/customer/orders/5/actual-quantities');
  const fetch = (path: string): Promise<Response> => Promise.resolve(path === '/api/user' ? Response.json(USER) : answer);
  showScreen(makeCall({ host: '', fetch }), '/customer/orders/:orderId/actual-quantities', WeighingPage);
  await screen.findByRole('heading', { level: 1 });
}

test('the weights page explains how to enter weights (spec §2; contract §6)', async () => {
  await open(Response.json(ORDER));
  expect(
    screen.getByText(
      'One field for each unit. Leave empty what is not weighed yet; 0 says that it was not delivered. Enter goes to the next empty field.',
    ),
  ).toBeTruthy();
  expect([...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)).toEqual(['Quantity', 'Code', 'Product']);
  expect(screen.getByRole('region', { name: 'Progress' }).textContent).toContain('0 of 2 weighed$0.00 for what is weighed');
});

test('the weights page explains why weights are not accepted, and shows the fields read-only (contract §6)', async () => {
  await open(Response.json({ ...ORDER, whyNot: 'This distribution is not accepting actual quantities.' }));
  expect(screen.getByRole('region', { name: 'Weights cannot be entered now' }).textContent).toContain(
    'This distribution is not accepting actual quantities.',
  );
  expect(screen.getAllByRole<HTMLInputElement>('spinbutton').every(({ readOnly }) => readOnly)).toBe(true);
});

test('the weights page tells the customer that a unit with weight 0 was not delivered (contract §6)', async () => {
  const actuals = [{ sortOrder: 0, actualQuantity: 0, recordedBy: 'staff' }];
  await open(
    Response.json({ ...ORDER, whyNot: 'This distribution is not accepting actual quantities.', products: [{ ...BRISKET, actuals }] }),
  );
  expect(screen.getAllByText('not delivered')).toHaveLength(1);
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('not delivered');
});

test('the weights page says when an order has nothing to weigh (spec §2)', async () => {
  await open(Response.json({ ...ORDER, products: [] }));
  expect(screen.getByText('Nothing in this order is sold by weight.')).toBeTruthy();
});

test('the weights page says when an order does not exist, and links back (spec §2)', async () => {
  await open(new Response('There is no such order.', { status: 404 }));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Order not found');
  expect(screen.getByText('There is no such order.')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Back to Dashboard' }).map((link) => link.getAttribute('href'))).toEqual([
    '/customer',
    '/customer',
  ]);
});

test('the weights page shows a heading, the reason and a back link when an order cannot be loaded', async () => {
  await open(new Response('Oops', { status: 400 }));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Record Actual Quantities');
  expect(screen.getByRole('alert').textContent).toContain('Oops');
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/customer');
});

test('the weights page keeps the typed weights while the order cannot be reloaded; a later visit reads the order again', async () => {
  navigate('/customer/orders/5/actual-quantities');
  const at = '/customer/orders/:orderId/actual-quantities';
  const read = '/api/order-for-actuals/5';
  await expectReseeded({ user: USER, at, form: WeighingPage, read, stored: ORDER, label: 'Brisket 1/2', value: '', typed: '4.9' });
});

test('the weights page exposes a weight field as a spinbutton with the entered value, or with the typed text when this text is not a number (spec §2)', async () => {
  await open(Response.json(ORDER));
  const unit = screen.getByRole('spinbutton', { name: 'Brisket 1/2' });
  const values = (): (string | null)[] =>
    ['aria-valuenow', 'aria-valuemin', 'aria-valuemax', 'aria-valuetext'].map((name) => unit.getAttribute(name));
  expect(values()).toEqual([null, '0', '99999.999', 'empty']);
  fireEvent.change(unit, { target: { value: '5.25' } });
  expect(values()).toEqual(['5.25', '0', '99999.999', null]);
  fireEvent.change(unit, { target: { value: '5 or 6' } });
  expect(values()).toEqual([null, '0', '99999.999', '5 or 6']);
});
