import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { DISTRIBUTION } from '../../../../test/fixtures/api-replies.ts';
import { makeCall } from '../../../client/api/fetch.ts';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { cents } from '../../../domain/money.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { AvailableDistributions } from './available-distributions.tsx';
import type { OrderItem } from '../contract.ts';
import { MyOrders } from './my-orders.tsx';

const NOW = '2027-03-01T12:00:00.000Z';
const order: OrderItem = {
  id: 5,
  distributionId: 9,
  version: 1,
  products: [
    { productId: 1, quantity: 2 },
    { productId: 2, quantity: 3 },
  ],
  distributionName: 'Passover 2027',
  distributionDate: '2027-04-15',
  orderAmount: cents(37_907),
  balance: cents(37_907),
  expected_count: 2,
  actual_count: 0,
};

let isPhone = false;
beforeEach(() => {
  isPhone = false;
  navigate('/customer');
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone, addEventListener: () => {}, removeEventListener: () => {} }));
});
afterEach(() => {
  dismissToasts();
  cleanup();
  vi.unstubAllGlobals();
});

const showOrder = (values: Partial<OrderItem> = {}, flags: Partial<Distribution> = {}): void => {
  render(
    <>
      <MyOrders orders={[{ ...order, ...values }]} distributions={[{ ...DISTRIBUTION, ...flags }]} now={NOW} />
      <Toaster />
    </>,
  );
};
const links = (): (string | null)[][] => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
const said = (): string[] => [...document.querySelectorAll('.toast .grow > *')].map((line) => line.textContent ?? '');

test("the customer's dashboard offers to enter weights only while the distribution accepts them (spec §2)", () => {
  const usual = [
    ['Download Price Sheet', '/customer/print-pricesheet/9'],
    ['Print Order', '/customer/print-order/9'],
    ['Edit Order', '/customer/order/9'],
  ];
  showOrder();
  expect(screen.getByText('Thu, Apr 15, 2027 · 5 items')).toBeTruthy();
  expect(links()).toEqual(usual);
  cleanup();
  showOrder({}, { acceptActuals: true });
  expect(links()).toEqual([['Enter Quantities', '/customer/orders/5/actual-quantities'], ...usual]);
});

test("on a phone, the customer's dashboard puts the actions of an order into a menu (spec §2)", () => {
  isPhone = true;
  showOrder({}, { acceptActuals: true });
  const menu = screen.getByRole('button', { name: 'Actions for Passover 2027' });
  const entries = document.getElementById(menu.getAttribute('popovertarget') ?? '');
  expect([...(entries?.children ?? [])].map((entry) => entry.textContent)).toEqual([
    'Enter Quantities',
    'Download Price Sheet',
    'Print Order',
    'Edit Order',
  ]);
});

test("the customer's dashboard marks an order whose distribution is closed, because its actions are blocked (spec §2)", () => {
  showOrder({}, { orderingOpen: false });
  expect(screen.getByText('Closed')).toBeTruthy();
  cleanup();
  showOrder();
  expect(screen.queryByText('Closed')).toBeNull();
});

test.each(['Print Order', 'Edit Order'])(
  'when ordering is closed, the action %s of My Orders says so and opens no page (spec §2, §4)',
  (action) => {
    showOrder({}, { orderingOpen: false });
    fireEvent.click(screen.getByRole('link', { name: action }));
    expect(said()).toEqual(['Ordering is closed']);
    expect(location.pathname).toBe('/customer');
  },
);

test("the customer's dashboard lets a customer print an order of an unpublished distribution; Edit Order explains that the distribution is not published (spec §2, §4)", () => {
  showOrder({}, { published: false });
  fireEvent.click(screen.getByRole('link', { name: 'Edit Order' }));
  expect(said()).toEqual(['This distribution is not published at the moment']);
  expect(location.pathname).toBe('/customer');
  fireEvent.click(screen.getByRole('link', { name: 'Print Order' }));
  expect(location.pathname).toBe('/customer/print-order/9');
});

const SLOTS = [{ id: 3, label: 'Sunday morning', startsAt: '2027-04-18T13:00:00.000Z', capacity: 1, taken: 1 }];

function showWithSlots(readSlots: () => Response): void {
  const fetch = (path: string) => Promise.resolve(path === '/api/distributions/9/slots' ? readSlots() : Response.json(null));
  const ofOrder = { orders: [{ ...order, slotId: 3, note: 'Ring twice' }], now: NOW };
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={makeCall({ host: '', fetch })}>
        <MyOrders {...ofOrder} distributions={[{ ...DISTRIBUTION, hasSlots: true, timeZone: 'America/New_York' }]} />
      </CallContext>
    </QueryClientProvider>,
  );
}
const findPickUpTime = () =>
  screen.findByText((_, element) => element?.textContent === 'Pick-up time: Sunday morning, Sun, Apr 18, 9:00 AM');

test("the customer's dashboard shows the pick-up time and the note of an order (contract §16)", async () => {
  showWithSlots(() => Response.json(SLOTS));
  expect((await findPickUpTime()).tagName).toBe('P');
  expect(screen.getByText('Ring twice').textContent).toBe('Note: Ring twice');
});

test("when the pick-up times could not be loaded, the customer's dashboard says so, and reads them again on request (contract §16)", async () => {
  let isBusy = true;
  showWithSlots(() => (isBusy ? new Response('The server is busy.', { status: 503 }) : Response.json(SLOTS)));
  expect((await screen.findByRole('alert')).textContent).toContain('The pick-up times could not be loaded: The server is busy.');
  isBusy = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findPickUpTime()).toBeTruthy();
});

test("the customer's dashboard shows a distribution without a name as Unknown Distribution (spec §2)", () => {
  showOrder({ distributionName: null, distributionDate: null });
  expect(screen.getByRole('heading', { name: 'Unknown Distribution' })).toBeTruthy();
  expect(screen.getByText('5 items')).toBeTruthy();
});

const showOffer = (flags: Partial<Distribution> = {}): ReturnType<typeof within> => {
  render(
    <>
      <AvailableDistributions distributions={[{ ...DISTRIBUTION, ...flags }]} now={NOW} />
      <Toaster />
    </>,
  );
  return within(screen.getByRole('region', { name: 'Available Distributions' }));
};

test("the customer's dashboard shows an available distribution with name, date, price sheet and a link to order (spec §2)", () => {
  const offer = showOffer();
  expect(offer.getByRole('heading', { name: 'Passover 2027' })).toBeTruthy();
  expect(offer.getByText('Thu, Apr 15, 2027')).toBeTruthy();
  expect(links()).toEqual([
    ['Download Price Sheet', '/customer/print-pricesheet/9'],
    ['Order Now', '/customer/order/9'],
  ]);
});

test('the link *Order Now* of a distribution whose ordering is closed shows *Ordering Closed* and does not open the order page (spec §2, §8)', () => {
  const offer = showOffer({ orderingOpen: false });
  fireEvent.click(offer.getByRole('link', { name: 'Order Now' }));
  expect(said()).toEqual(['Ordering Closed', 'This distribution is no longer accepting orders.']);
  expect(location.pathname).toBe('/customer');
});

test("the customer's dashboard explains why no order is shown or no distribution is available (spec §2)", () => {
  render(<AvailableDistributions distributions={[]} now={NOW} />);
  expect(screen.getByText('No other distribution is available.')).toBeTruthy();
  cleanup();
  render(<MyOrders orders={[]} distributions={[]} now={NOW} />);
  expect(screen.getByText('You have not ordered yet.')).toBeTruthy();
});

test.each([
  [{}, ['Weighed0 of 2', 'Amount$379.07 est.', 'Balance$379.07 est.']],
  [{ actual_count: 2, balance: cents(-310) }, ['Weighed2 of 2', 'Amount$379.07', 'BalanceRefund due $3.10']],
  [{ expected_count: 0, balance: cents(0) }, ['WeighedNone needed', 'Amount$379.07', 'Balance$0.00']],
])(
  "the customer's dashboard shows the weighed units, the total and the balance of an order with the values %o (contract §7, §10)",
  (values, facts) => {
    showOrder(values);
    expect([...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual(facts);
  },
);
