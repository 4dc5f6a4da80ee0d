import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { PrintOrdersPage } from './print-orders-page.tsx';

const USER = { id: 1, email: 'office@mail.test', role: 'distributor', distributorId: null };
const PLACE = { address: '12 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '201-555-0142' };
const print = (id: number) => ({
  order: { id, customerId: 7, distributionId: 9 },
  products: [],
  contact: { email: 'rivka@mail.test', firstName: 'Rivka', lastName: 'Abramov', ...PLACE },
  distribution: { id: 9, name: 'Passover 2027', date: '2027-04-15' },
  organization: { name: 'Bethel', ...PLACE },
  actuals: [],
  fees: [],
  payments: [],
});

beforeEach(() => {
  freshDevice();
  vi.stubGlobal('print', () => undefined);
  Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() }, configurable: true });
});

async function open(prints: readonly object[]): Promise<void> {
  navigate('/distributor/distribution/9/print-orders');
  const fetch = (path: string): Promise<Response> => Promise.resolve(Response.json(path === '/api/user' ? USER : prints));
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id/print-orders', PrintOrdersPage);
  await screen.findByRole('heading', { level: 1 });
}

test('the page that prints all orders says that there is nothing to print when there are no orders', async () => {
  await open([]);
  expect(screen.getByText('Nothing has been ordered in this distribution yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  await waitFor(() => expect(document.title).toBe('Orders'));
});

test('the page that prints all orders states the number of orders, and names the printed file after the distribution', async () => {
  const payments = ['Cash', 'Credit Card', 'Check', 'Other'].map((paymentMethod) => ({
    amount: 500,
    paymentMethod,
    feeAmount: 0,
  }));
  await open([print(4), { ...print(5), payments }]);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('2 orders');
  expect(screen.getAllByText(/ Payment$/).map(({ textContent }) => textContent)).toEqual([
    'Cash Payment',
    'Credit Card Payment',
    'Check Payment',
    'Other Payment',
  ]);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['Order 4', 'Order 5']);
  expect(screen.getByRole('link', { name: 'Back to Customers' }).getAttribute('href')).toBe('/distributor/distribution/9?tab=customers');
  await waitFor(() => expect(document.title).toBe('Orders - Passover 2027'));
});

test('the page that prints all orders contains only the orders that match the filters of the customers tab; the server applies the filters', async () => {
  const sent: unknown[] = [];
  const fetch = (path: string, { method = '', body = null }: RequestInit): Promise<Response> => {
    if (path === '/api/user') return Promise.resolve(Response.json(USER));
    sent.push([method, path, body]);
    return Promise.resolve(Response.json([print(5)]));
  };
  navigate('/distributor/distribution/9/print-orders', { state: { orders: [5, 6] } });
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id/print-orders', PrintOrdersPage);
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('1 order');
  expect(sent).toEqual([['POST', '/api/distributions/9/print-orders', '{"orderIds":[5,6]}']]);
});

test('the page that prints all orders contains the fee of a card payment below the payment, and includes the fee in no total (contract §7)', async () => {
  await open([{ ...print(4), payments: [{ amount: 500, paymentMethod: 'Credit Card', feeAmount: 10 }] }]);
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows.slice(-3)).toEqual(['Credit Card Payment$5.00', 'Card fee, on top of the payment above$0.10', 'Balance DueRefund due $5.00']);
});
