// Tests the counter's screen in a simulated browser: the hint about the till, and the label of Undo (contract §14, §15).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { CallError, type Call } from '../../client/api/fetch.ts';
import { makeCustomer, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { openTill } from '../tills/contract.ts';
import { listCounterOrders } from './contract.ts';
import type { Person } from '../../../test/test-app.ts';
import { CounterPage } from './counter-page.tsx';
import { addWrites, changeWrites, readWrites } from './device/counter-db.ts';

const { testApp, day, queued, recorded } = setupCounter();
const HINT = 'You have no open till: this payment will belong to none.';
const button = async (name: string) => await screen.findByRole('button', { name, hidden: true });

/** Opens the counter, and the order of the only family, whose units are weighed. */
async function openFamily(person: Person): Promise<void> {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  navigate(`/${person.role}/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(person), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await button('Pay $100.00 in cash and hand over');
}

const openTillOf = async (person: Person) =>
  (await testApp.as(person))(openTill, { body: { distributionId: day.distribution.id, float: 0 as never } });

test('once anybody has opened a till, a user without an open till sees a hint at a payment, with a button that opens a till (contract §15)', async () => {
  await openTillOf(day.distributor);
  await openFamily(day.agent);
  expect(screen.getByText(HINT)).toBeTruthy();
  fireEvent.click(await button('Open my till'));
  fireEvent.change(screen.getByLabelText('Float'), { target: { value: '50' } });
  fireEvent.submit(screen.getByLabelText('Float'));
  await waitFor(() => expect(screen.queryByText(HINT)).toBeNull());
  const own = testApp.db.selectFrom('tills').select('float').where('userId', '=', day.agent.id);
  expect(await own.execute()).toEqual([{ float: 5000 }]);
  await button('Pay $100.00 in cash and hand over');
});

test.each([
  { of: "while the user's till is open", openers: ['agent'] },
  { of: 'while nobody has opened a till', openers: [] },
] as const)('$of, the counter shows no hint about tills at a payment (contract §15)', async ({ openers }) => {
  for (const role of openers) await openTillOf(day[role]);
  await openFamily(day.agent);
  expect(screen.queryByText(HINT)).toBeNull();
});

test.each([
  { role: 'agent', label: /^Undo hand-over/ },
  { role: 'distributor', label: /^Undo(?! hand-over)/ },
] as const)(
  'after the $role has recorded a payment and a pick-up, the Undo button has the label $label (contract §14)',
  async ({ role, label }) => {
    await openFamily(day[role]);
    fireEvent.click(await button('Pay $100.00 in cash and hand over'));
    await eventually(async () => expect(await recorded.payments()).toEqual([10_000]));
    expect(await screen.findByRole('button', { name: label })).toBeTruthy();
  },
);

test("the list of refused entries names the unit of an entry even if the entry's order is not on this screen (contract §14)", async () => {
  const write = { kind: 'weight', orderProductId: 1, index: 0, weight: 6, was: null } as const;
  const refused = { ...queued('of another distribution', write), distributionId: day.distribution.id + 1, orderId: day.order.id + 1 };
  await addWrites([
    { ...refused, text: 'Brisket 1/2: 6 lb' },
    { ...refused, key: 'of the previous version' },
  ]);
  await changeWrites(await readWrites(), (stored) => ({ ...stored, status: 'refused', reason: 'Overtaken' }));
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  fireEvent.click(await button('Look at them'));
  const items = within(await screen.findByRole('region', { name: 'Refused', hidden: true })).getAllByRole('listitem', { hidden: true });
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(`Order ${day.order.id + 1} · Brisket 1/2: 6 lb`),
    expect.stringContaining(`Order ${day.order.id + 1} · Unit 1: 6`),
  ]);
});

test('while the server is busy, the counter says so instead of "No network", and says that entries are kept (contract §14)', async () => {
  const call = await testApp.as(day.distributor);
  let isBusy = false;
  const sometimesBusy = (async (...args: Parameters<Call>) => {
    if (isBusy) throw new CallError(429, 'Too many requests');
    return await call(...args);
  }) as Call;
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(sometimesBusy, '/:role/distribution/:id/counter', CounterPage);
  await screen.findByRole('combobox', { name: 'Find a family' });
  isBusy = true;
  await button('Server busy');
  expect(screen.getByText(/^The server is busy\. The counter goes on/)).toBeTruthy();
  isBusy = false;
  await button('Online');
  expect(screen.queryByText(/^The server is busy/)).toBeNull();
});

test('when more families match than the list shows, the list says how many (contract §14)', async () => {
  const brisket = await makeProduct(testApp.db, day.distribution);
  const customers = await Promise.all(Array.from({ length: 10 }, () => makeCustomer(testApp.db, day.distributor, { lastName: 'Adler' })));
  for (const customer of customers) await makeOrder(testApp.db, day.distribution, customer, [[brisket, 1]]);
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'adler' } });
  expect(screen.getAllByRole('option')).toHaveLength(8);
  expect(screen.getByText('And 2 more. Type more of the name to find them.')).toBeTruthy();
  fireEvent.change(search, { target: { value: 'abramov' } });
  expect(screen.queryByText(/Type more of the name/)).toBeNull();
});

test.each([
  { opened: 'the menu', open: async () => fireEvent.keyDown(await button('Tills and more'), { key: 'Enter' }), role: 'menu' },
  { opened: 'the list of entries', open: async () => fireEvent.click(await button('Online')), role: 'dialog' },
  { opened: 'nothing', open: async () => await button('Online'), role: 'combobox' },
])('when the families are loaded after the user has opened $opened, the focus is in the $role (contract §14)', async ({ open, role }) => {
  const call = await testApp.as(day.distributor);
  let load: () => void = () => undefined;
  const isLoading = new Promise<void>((resolve) => (load = resolve));
  const slow = (async (...args: Parameters<Call>) => {
    if (args[0] === listCounterOrders) await isLoading;
    return await call(...args);
  }) as Call;
  const media = matchMedia('all');
  vi.stubGlobal('matchMedia', (query: string) => Object.assign({}, media, { matches: query === '(pointer: fine)' }));
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(slow, '/:role/distribution/:id/counter', CounterPage);
  await open();
  load();
  await screen.findByRole('combobox', { name: 'Find a family', hidden: true });
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.closest(`[role="${role}"]`)).toBeTruthy();
});

test('when the search finds nobody, the counter says that it finds only families with an order in this distribution (contract §14)', async () => {
  await makeCustomer(testApp.db, day.distributor, { lastName: 'Abadi' });
  fireEvent.change(await openSearch(), { target: { value: 'abadi' } });
  expect(screen.getByText('No family with an order in this distribution matches.')).toBeTruthy();
});

/** A field of the payment form. Tests submit the form with an event, because jsdom does not submit a form when Enter is pressed. */
const cashGiven = () => screen.getByLabelText<HTMLInputElement>('Cash given');

test('Enter in "Cash given" records no payment while the cash is below the amount; the screen says once how much is missing (contract §14)', async () => {
  await openFamily(day.distributor);
  for (const [given, error] of [
    ['20', 'Take the rest, or lower the amount.'],
    ['2o', 'Type an amount in dollars, such as 5.00'],
  ] as const) {
    fireEvent.change(cashGiven(), { target: { value: given } });
    fireEvent.submit(cashGiven());
    await waitFor(() => expect(cashGiven().getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText(error)).toBeTruthy();
    expect(document.activeElement).toBe(cashGiven());
  }
  fireEvent.change(cashGiven(), { target: { value: '20' } });
  expect(screen.getAllByText(/missing/).map(({ textContent }) => textContent)).toEqual(['$80.00 missing']);
  for (const label of ['Pay $100.00 in cash and hand over', 'Pay only']) {
    fireEvent.click(await button(label));
    await waitFor(() => expect(cashGiven().getAttribute('aria-invalid')).toBe('true'));
    fireEvent.change(cashGiven(), { target: { value: '20' } });
  }
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '20' } });
  fireEvent.click(await button('Pay only'));
  await eventually(async () => expect(await recorded.payments()).toEqual([2000]));
});

test.each([
  { given: '99.99', isRefused: true },
  { given: '2o', isRefused: true },
  { given: '100', isRefused: false },
  { given: '', isRefused: false },
])(
  'with "$given" as the cash for 100 dollars, the buttons that pay are shown as disabled: $isRefused (contract §14)',
  async ({ given, isRefused }) => {
    await openFamily(day.distributor);
    fireEvent.change(cashGiven(), { target: { value: given } });
    for (const label of ['Pay $100.00 in cash and hand over', 'Pay only'])
      expect((await button(label)).getAttribute('aria-disabled')).toBe(isRefused ? 'true' : null);
  },
);

test('the change due is shown for each typed amount of cash, and the Undo bar names the change after the payment and hand-over (contract §14)', async () => {
  await openFamily(day.distributor);
  for (const [given, shown] of [
    ['99.99', '$0.01 missing'],
    ['100', 'Change $0.00'],
    ['120', 'Change $20.00'],
  ] as const) {
    fireEvent.change(cashGiven(), { target: { value: given } });
    expect(screen.getByText(shown)).toBeTruthy();
  }
  fireEvent.submit(cashGiven());
  expect(await screen.findByText('Change to give back')).toBeTruthy();
  expect(await screen.findByText(/^Abramov.*: \$100\.00 paid in cash, change \$20\.00, handed over$/)).toBeTruthy();
});

test('after a payment in cash, the change to give back is shown until the next family is opened (contract §14)', async () => {
  const other = await makeCustomer(testApp.db, day.distributor, { lastName: 'Becker' });
  const [brisket] = await testApp.db.selectFrom('products').selectAll().where('distributionId', '=', day.distribution.id).execute();
  await makeOrder(testApp.db, day.distribution, other, [[brisket as never, 2]]);
  await openFamily(day.distributor);
  const shown = () => screen.queryByText('Change to give back')?.closest('div')?.parentElement?.textContent;
  fireEvent.change(cashGiven(), { target: { value: '120' } });
  fireEvent.click(await button('Pay only'));
  await waitFor(() => expect(shown()).toMatch(/^Change to give backAbramov, .*\$20\.00$/));
  fireEvent.click(await button('Hand over'));
  const search = screen.getByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'becker' } });
  expect(shown()).toContain('$20.00');
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(await screen.findByRole('heading', { name: /^Becker/ })).toBeTruthy();
  expect(shown()).toBeUndefined();
});

test('a later payment of the same family ends the display of the change of the earlier one (contract §14)', async () => {
  await openFamily(day.distributor);
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '50' } });
  fireEvent.change(cashGiven(), { target: { value: '60' } });
  fireEvent.click(await button('Pay only'));
  expect(await screen.findByText('Change to give back')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Payment method'), { target: { value: 'Check' } });
  fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'No. 12' } });
  fireEvent.click(await button('Pay $50.00 by check and hand over'));
  await eventually(async () => expect(await recorded.payments()).toEqual([5000, 5000]));
  expect(screen.queryByText('Change to give back')).toBeNull();
});

test('when the user leaves the field for the cash with text that is not an amount, the field shows an error (contract §14)', async () => {
  await openFamily(day.distributor);
  fireEvent.change(cashGiven(), { target: { value: '2o' } });
  expect(screen.queryByText('Type an amount in dollars, such as 5.00')).toBeNull();
  fireEvent.blur(cashGiven());
  expect(screen.getByText('Type an amount in dollars, such as 5.00')).toBeTruthy();
  fireEvent.change(cashGiven(), { target: { value: '20' } });
  expect(screen.queryByText('Take the rest, or lower the amount.')).toBeNull();
  fireEvent.blur(cashGiven());
  expect(screen.getByText('Take the rest, or lower the amount.')).toBeTruthy();
});

test.each([
  ['Cash', 'in cash'],
  ['Check', 'by check'],
  ['Other', 'another way'],
])(
  'the pay button, and the description of the last step after the payment, name the payment method %s (contract §14)',
  async (method, words) => {
    await openFamily(day.distributor);
    fireEvent.change(screen.getByLabelText('Payment method'), { target: { value: method } });
    if (method !== 'Cash') fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'No. 12' } });
    fireEvent.click(await button(`Pay $100.00 ${words} and hand over`));
    expect(await screen.findByText(new RegExp(`^Abramov, .*: \\$100\\.00 paid ${words}, handed over$`))).toBeTruthy();
  },
);

/** Opens the counter without opening a family, and returns the search field. */
async function openSearch(): Promise<HTMLElement> {
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  return await screen.findByRole('combobox', { name: 'Find a family' });
}
function scanInto(search: HTMLElement, text: string): void {
  fireEvent.change(search, { target: { value: text } });
  fireEvent.keyDown(search, { key: 'Enter' });
}

test.each(['', 'abr', 'nobody ', '12'])(
  'an order code that is scanned into the search field, which already contains the text %j, opens the order (contract §14)',
  async (typed) => {
    const search = await openSearch();
    scanInto(search, `${typed}FD1:${day.order.id}`);
    expect(await screen.findByRole('heading', { name: /^Abramov/ })).toBeTruthy();
  },
);

test.each(['', 'abr'])(
  'when a weight label is scanned into the search field, which already contains the text %j, the counter explains how to scan the label (contract §14)',
  async (typed) => {
    const search = await openSearch();
    scanInto(search, `${typed}2001001004873`);
    expect(await screen.findByText('Choose a weight field of this order, then scan the label again.')).toBeTruthy();
    expect((search as HTMLInputElement).value).toBe(typed);
    expect(screen.queryByText(/^No family/)).toBeNull();
  },
);
