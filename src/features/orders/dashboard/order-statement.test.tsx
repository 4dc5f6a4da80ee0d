import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { DISTRIBUTION } from '../../../../test/fixtures/api-replies.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { cents } from '../../../domain/money.ts';
import { MyOrders } from './my-orders.tsx';

const USER = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };
const ORDER = {
  id: 5,
  distributionId: 9,
  version: 1,
  products: [{ productId: 1, quantity: 4 }],
  distributionName: 'Passover 2027',
  distributionDate: '2027-04-15',
  orderAmount: cents(22_307),
  balance: cents(21_307),
  expected_count: 4,
  actual_count: 3,
};
const PLACE = { address: '12 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '201-555-0142' };
const wine = {
  orderProductId: 1,
  productId: 1,
  quantity: 2,
  originalQuantity: 2,
  product_code: 10,
  name: 'Wine',
  unit_price: 500,
  unit_qty: 6,
  price: 3000,
  uom: 'bottle',
  unit_qty_is_estimate: false,
  product_group: null,
};
const weighed = { ...wine, orderProductId: 2, productId: 2, name: 'Brisket', unit_price: 1500, unit_qty: 5, price: 7500, uom: 'lb' };
const brisket = { ...weighed, quantity: 4, unit_qty_is_estimate: true };
const unit = (sortOrder: number, actualQuantity: number) => ({ orderProductId: 2, productId: 2, sortOrder, actualQuantity });
const PRINT = {
  order: { id: 5, customerId: 7, distributionId: 9 },
  products: [wine, brisket, { ...wine, orderProductId: 3, productId: 3, name: 'Matzah', quantity: 0 }],
  contact: { email: 'rivka@mail.test', firstName: 'Rivka', lastName: 'Abramov', ...PLACE },
  distribution: { id: 9, name: 'Passover 2027', date: '2027-04-15' },
  organization: { name: 'Bethel', ...PLACE },
  actuals: [unit(0, 1.001), unit(1, 0), unit(2, 4.87)],
  fees: [{ id: 1, distributionId: 9, name: 'Service', type: 'percent', sort_order: 0, amount: 300 }],
  payments: [{ id: 1, amount: 1000, paymentMethod: 'Credit Card', feeAmount: 20, createdAt: '2027-04-16T10:00:00.000Z' }],
};

beforeEach(freshDevice);

test('My Orders shows each line with its weights, the fees and the balance after ordering has closed (contract §7, §10)', async () => {
  navigate('/customer');
  const fetch = (path: string): Promise<Response> =>
    Promise.resolve(path === '/api/user' ? Response.json(USER) : Response.json(path === '/api/customer-print-order/9' ? PRINT : null));
  showScreen(makeCall({ host: '', fetch }), '/customer', () => (
    <MyOrders orders={[ORDER]} distributions={[{ ...DISTRIBUTION, orderingOpen: false }]} now="2027-03-01T12:00:00.000Z" />
  ));
  const button = await screen.findByRole('button', { name: 'What was ordered' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  const list = await screen.findByRole('list', { name: 'What was ordered' });
  expect([...list.children].map(({ textContent }) => textContent)).toEqual([
    'Brisket1.001 lb, not delivered, 4.87 lb, 1 not weighed yet (about 5 lb) × $15.00 per lb$163.07 est.',
    'Wine2 × $30.00$60.00',
    'Matzahnot available$0.00',
  ]);
  expect([...(list.nextElementSibling?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Subtotal$223.07',
    'Service (3%)$6.69',
    'Total$229.76 est.',
    'Credit Card Payment-$10.00Card fee, on top of the payment above: $0.20',
    'Balance Due$219.76 est.',
  ]);
  fireEvent.click(button);
  expect(screen.queryByRole('list', { name: 'What was ordered' })).toBeNull();
});
