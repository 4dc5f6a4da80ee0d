import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../test/screen.tsx';
import { makeCall } from '../client/api/fetch.ts';
import { makeQueryClient } from '../client/api/use-calls.ts';
import { CustomerDashboard } from './customer-dashboard.tsx';

const distribution = (id: number, name: string, orderingOpen: boolean) => ({
  id,
  distributorId: 1,
  name,
  date: '2027-04-15',
  published: true,
  acceptActuals: false,
  orderingOpen,
  opensAt: null,
  closesAt: null,
});
const ORDER = {
  id: 5,
  distributionId: 9,
  version: 1,
  products: [{ productId: 1, quantity: 2 }],
  distributionName: 'Sukkot',
  distributionDate: '2026-09-25',
  orderAmount: 2000,
  balance: 2000,
  expected_count: 0,
  actual_count: 0,
};
const CONTACT = { firstName: 'Rivka', lastName: 'Abramov', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '555' };

beforeEach(() => {
  freshDevice();
  navigate('/customer');
});

let isContactBusy = false;
beforeEach(() => {
  isContactBusy = false;
});

async function headings(distributions: readonly object[], client = makeQueryClient()): Promise<(string | null)[]> {
  const answers: Record<string, unknown> = {
    '/api/user': { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 },
    '/api/contact': { ...CONTACT, id: 1, userId: 7 },
    '/api/distributions': distributions,
    '/api/orders': [ORDER],
  };
  const fetch = async (path: string): Promise<Response> =>
    isContactBusy && path === '/api/contact' ? new Response('The server is busy.', { status: 503 }) : Response.json(answers[path] ?? null);
  showScreen(makeCall({ host: '', fetch }), '/customer', CustomerDashboard, client);
  await screen.findByRole('heading', { name: 'My Orders' });
  return screen.getAllByRole('heading').map(({ textContent }) => textContent);
}

test("the customer's dashboard lists the available distributions above My Orders, first the distributions with open ordering, then those with closed ordering", async () => {
  expect(await headings([distribution(1, 'Purim', false), distribution(2, 'Passover', true), distribution(3, 'Shavuot', true)])).toEqual([
    'Customer Dashboard',
    'Available Distributions',
    'Passover',
    'Shavuot',
    'Purim',
    'My Orders',
    'Sukkot',
  ]);
});

test("the customer's dashboard lists the customer's orders first when nothing can be ordered", async () => {
  expect(await headings([distribution(1, 'Purim', false)])).toEqual([
    'Customer Dashboard',
    'My Orders',
    'Sukkot',
    'Available Distributions',
    'Purim',
  ]);
});

test("when only the contact could not be read again, the customer's dashboard stays", async () => {
  const client = makeQueryClient();
  const open = [distribution(2, 'Passover', true)];
  const before = await headings(open, client);
  cleanup();
  isContactBusy = true;
  expect(await headings(open, client)).toEqual(before);
  await waitFor(() => expect(client.getQueryState(['/api/contact'])?.status).toBe('error'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('heading', { name: 'My Orders' })).toBeTruthy();
});
