import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { DISTRIBUTION, product } from '../../../../test/fixtures/api-replies.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { makeQueryClient } from '../../../client/api/use-calls.ts';
import { OrderPage } from './order-page.tsx';

const BRISKET = product(1, 'Brisket', { product_group: 'Beef', unit_qty: 5, price: 5000, uom: 'lb', unit_qty_is_estimate: true });
const FEES = [
  { id: 1, distributionId: 9, name: 'Hall', type: 'flat', sort_order: 0, amount: 500 },
  { id: 2, distributionId: 9, name: 'Service', type: 'percent', sort_order: 1, amount: 1000 },
];
const order = (version: number, quantity: number) => ({ id: 5, distributionId: 9, products: [{ productId: 1, quantity }], version });
const USER = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };

beforeEach(() => {
  freshDevice();
  navigate('/customer/order/9');
});

type Answers = Record<string, () => unknown>;
const answers: Answers = {};
beforeEach(() => {
  Object.assign(answers, {
    '/api/user': () => USER,
    '/api/distributions/9': () => DISTRIBUTION,
    '/api/distributions/9/products': () => [BRISKET, product(2, 'Merlot', { product_group: 'Wine' })],
    '/api/distributions/9/fees': () => FEES,
    '/api/orders/9': () => null,
    'POST /api/orders': () => new Response('This order was changed elsewhere. Reload to see it.', { status: 409 }),
  });
});

async function open(changed: Answers = {}, client = makeQueryClient()): Promise<void> {
  Object.assign(answers, changed);
  const fetch = (path: string, { method }: RequestInit): Promise<Response> => {
    const answer = (answers[`${method} ${path}`] ?? answers[path])?.() ?? null;
    if (answer instanceof Response) return Promise.resolve(answer);
    return Promise.resolve(path in answers ? Response.json(answer) : new Response('There is no such record.', { status: 404 }));
  };
  showScreen(makeCall({ host: '', fetch }), '/customer/order/:distributionId', OrderPage, client);
  await screen.findByRole('heading', { level: 1 });
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const typeQuantity = (name: string, text: string): void =>
  void fireEvent.change(screen.getByRole('spinbutton', { name: `Quantity of ${name}` }), { target: { value: text } });
const noticeText = (name: string): string | null => screen.getByRole('region', { name }).textContent;

test('the order page explains that a distribution does not exist and links back (spec §2)', async () => {
  navigate('/customer/order/8');
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Distribution not found');
  expect(screen.getByText('There is no such distribution, or it is not published.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See your distributions' }).getAttribute('href')).toBe('/customer');
});

test('the order page explains that no product matches the search or that nothing is chosen, and offers a way to continue', async () => {
  await open();
  fireEvent.change(screen.getByLabelText('Search all products'), { target: { value: 'lamb' } });
  expect(await screen.findByText('No products match “lamb”.')).toBeTruthy();
  const category = screen.getByLabelText<HTMLSelectElement>('Category');
  expect(category.selectedOptions[0]?.textContent).toBe('All categories');
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear search' })[1] as HTMLElement);
  expect(document.activeElement).toBe(screen.getByLabelText('Search all products'));
  fireEvent.change(category, { target: { value: ' mine' } });
  expect(await screen.findByText('You have not chosen anything yet.')).toBeTruthy();
  press('See the products');
  expect(await screen.findByRole('spinbutton', { name: 'Quantity of Brisket' })).toBeTruthy();
  expect(category.value).toBe('Beef');
});

test('the order page shows both totals with the reason when the printed total differs (contract §7, §10)', async () => {
  await open();
  typeQuantity('Brisket', '2');
  const sums = within(screen.getByRole('region', { name: 'Your order' }));
  expect([...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'Subtotal$100.00',
    'Hall$5.00',
    'Service (10%)$10.00',
    'Total$115.00',
    'Total on the printed order$115.50',
  ]);
  expect(sums.getByText('The printed order adds each fee to the running total, so its total is slightly different.')).toBeTruthy();
  expect(sums.getByText('* Sold by weight: the price is an estimate until your items are weighed.')).toBeTruthy();
});

test('when a customer sets every quantity to 0, the order page says whom to ask for a cancellation (spec §5)', async () => {
  await open({ '/api/orders/9': () => order(1, 2) });
  typeQuantity('Brisket', '0');
  expect(screen.getByText('To cancel the whole order, ask your distributor.')).toBeTruthy();
});

test('in a closed distribution, the order page names the distributor as contact, and offers to mail the changes of a changed order (spec §8; contract §10)', async () => {
  await open({ '/api/distributions/9': () => ({ ...DISTRIBUTION, orderingOpen: false }), '/api/orders/9': () => order(1, 2) });
  const title = 'This distribution no longer takes orders';
  expect(noticeText(title)).toBe(`${title}Your distributor can still change an order: ask for what you need.`);
  typeQuantity('Brisket', '3');
  expect(noticeText(title)).toBe(
    `${title}What you typed stays on this page but cannot be saved. Your distributor can still change an order. Write your changes in an e-mail`,
  );
  const mail = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Write your changes in an e-mail' }).href);
  expect(mail.searchParams.get('subject')).toBe('My order: Passover 2027');
  expect(mail.searchParams.get('body')).toBe('Brisket: 3 instead of 2');
});

test('the order page explains that the distribution is not published, and does not say that ordering is closed (spec §4; contract §5)', async () => {
  await open({ '/api/distributions/9': () => ({ ...DISTRIBUTION, published: false }), '/api/orders/9': () => order(1, 2) });
  const reason = 'This distribution is not published at the moment';
  expect(noticeText(reason)).toBe(`${reason}Your distributor can still change an order: ask for what you need.`);
});

test('the order page asks which quantity to keep when somebody else has changed the same line of the order (contract §5)', async () => {
  let elsewhere = order(1, 2);
  await open({ '/api/orders/9': () => elsewhere });
  elsewhere = order(2, 9);
  typeQuantity('Brisket', '3');
  press('Update Order');
  expect(await screen.findByText('Choose for each of these lines, then save again. Everything else you typed is still here.')).toBeTruthy();
  press('Take theirs 9');
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity of Brisket' }).value).toBe('9');
});

test('the order page keeps the typed quantity and asks to save again when somebody else has changed the same line and has then changed it back (contract §5)', async () => {
  let elsewhere = order(1, 2);
  await open({ '/api/orders/9': () => elsewhere });
  elsewhere = order(3, 2);
  typeQuantity('Brisket', '3');
  press('Update Order');
  expect(
    await screen.findByText('None of the lines you changed were touched. Everything you typed is still here: save again.'),
  ).toBeTruthy();
});

test('the order page offers to restore unsaved typing, and states the number of changes (contract §10)', async () => {
  localStorage.setItem('feastday.draft.7.order-9', JSON.stringify([{ productId: 1, from: 0, to: 2 }]));
  await open();
  expect(noticeText('Restore 1 unsaved change?')).toContain('You typed it on this device and did not save it.');
  press('Restore');
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity of Brisket' }).value).toBe('2');
});

test('the order page never shows an outdated order from the cache while the server is unreachable; a retry loads the order (spec §2)', async () => {
  const client = makeQueryClient();
  client.setQueryData(['/api/orders/9'], null);
  let isUp = false;
  const read = (value: unknown) => () => (isUp ? value : new Response('No answer on the way.', { status: 502 }));
  await open({ '/api/orders/9': read(order(1, 2)) }, client);
  expect((await screen.findByRole('alert')).textContent).toBe('This could not be loadedNo answer on the way.Try again');
  expect(screen.queryByRole('spinbutton', { name: 'Quantity of Brisket' })).toBeNull();
  isUp = true;
  press('Try again');
  expect((await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Quantity of Brisket' })).value).toBe('2');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Edit Order');
});

test('the Enter key moves the focus from one quantity field to the next, also across categories', async () => {
  await open();
  fireEvent.change(screen.getByLabelText('Search all products'), { target: { value: 'r' } });
  const merlot = await screen.findByRole('spinbutton', { name: 'Quantity of Merlot' });
  const brisket = screen.getByRole('spinbutton', { name: 'Quantity of Brisket' });
  brisket.focus();
  for (const [key, shiftKey, next] of [
    ['Enter', false, merlot],
    ['Enter', true, brisket],
  ] as const) {
    fireEvent.keyDown(document.activeElement as HTMLElement, { key, shiftKey });
    expect(document.activeElement).toBe(next);
  }
});

test('on a narrow screen, a tap on the total opens the list of sums; Escape, a tap outside or another category closes that list', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }));
  await open();
  const total = screen.getByRole('button', { name: /^Total/ });
  const closers = [
    () => fireEvent.keyDown(document.body, { key: 'Escape' }),
    () => fireEvent.pointerDown(screen.getByRole('heading', { level: 1 })),
    () => fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'Wine' } }),
  ];
  for (const close of closers) {
    fireEvent.click(total);
    expect(total.getAttribute('aria-expanded')).toBe('true');
    fireEvent.pointerDown(total);
    expect(total.getAttribute('aria-expanded')).toBe('true');
    close();
    await waitFor(() => expect(total.getAttribute('aria-expanded')).toBe('false'));
  }
});

const SLOTS = [
  { id: 3, label: 'Sunday morning', startsAt: '2027-04-18T13:00:00.000Z', capacity: 2, taken: 2 },
  { id: 4, label: 'Sunday evening', startsAt: '2027-04-18T22:00:00.000Z', capacity: 40, taken: 1 },
];
const WITH_SLOTS = { ...DISTRIBUTION, hasSlots: true, timeZone: 'America/New_York' };

test('the order page shows the pick-up times, the full ones disabled, and requires a choice before the order is saved (contract §16)', async () => {
  const place = vi.fn(() => order(1, 1));
  await open({
    '/api/distributions/9': () => WITH_SLOTS,
    '/api/distributions/9/slots': () => SLOTS,
    'POST /api/orders': place,
    '/api/orders': () => [],
  });
  const morning = await screen.findByRole<HTMLInputElement>('radio', { name: /Sunday morning/ });
  const evening = screen.getByRole<HTMLInputElement>('radio', { name: /Sunday evening/ });
  expect([morning.disabled, evening.disabled]).toEqual([true, false]);
  expect(morning.closest('label')?.textContent).toBe('Sunday morningSun, Apr 18, 9:00 AMfull');
  typeQuantity('Brisket', '1');
  press('Place Order');
  await waitFor(() => expect(document.activeElement).toBe(evening));
  expect(screen.getByRole('group', { name: 'Pick-up time' }).textContent).toContain('Choose a pick-up time.');
  expect(place).not.toHaveBeenCalled();
  fireEvent.click(evening);
  press('Place Order');
  await waitFor(() => expect(place).toHaveBeenCalled());
});

test("the order page lets the customer keep the order's pick-up time when this time is full, and shows the note of the order (contract §16)", async () => {
  const saved = { ...order(1, 1), slotId: 3, note: 'No bones' };
  await open({ '/api/distributions/9': () => WITH_SLOTS, '/api/distributions/9/slots': () => SLOTS, '/api/orders/9': () => saved });
  const morning = await screen.findByRole<HTMLInputElement>('radio', { name: /Sunday morning/ });
  expect([morning.disabled, morning.checked]).toEqual([false, true]);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Note')).value).toBe('No bones');
});

test('the order page asks for a pick-up time again after staff have set all quantities of the order to 0 (contract §16)', async () => {
  let current: object = { ...order(1, 1), slotId: 4 };
  await open({
    '/api/distributions/9': () => WITH_SLOTS,
    '/api/distributions/9/slots': () => SLOTS,
    '/api/orders/9': () => current,
    '/api/orders': () => [],
  });
  const evening = await screen.findByRole<HTMLInputElement>('radio', { name: /Sunday evening/ });
  expect(evening.checked).toBe(true);
  typeQuantity('Brisket', '2');
  current = { ...order(2, 1), products: [] };
  press('Update Order');
  await waitFor(() => expect(evening.checked).toBe(false));
  await readOthersChange();
  const place = vi.fn(() => ({ ...order(3, 2), slotId: 4 }));
  answers['POST /api/orders'] = place;
  press('Place Order');
  await waitFor(() => expect(document.activeElement).toBe(evening));
  expect(place).not.toHaveBeenCalled();
  fireEvent.click(evening);
  press('Place Order');
  await waitFor(() => expect(place).toHaveBeenCalled());
});

test('the order page keeps an unsaved note and pick-up time on the device, and restores them with the quantities (contract §10, §16)', async () => {
  const answers = { '/api/distributions/9': () => WITH_SLOTS, '/api/distributions/9/slots': () => SLOTS };
  await open(answers);
  typeQuantity('Brisket', '2');
  fireEvent.click(await screen.findByRole('button', { name: 'Add a note' }));
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'No bones' } });
  fireEvent.click(await screen.findByRole('radio', { name: /Sunday evening/ }));
  cleanup();
  await open(answers);
  expect(noticeText('Restore 3 unsaved changes?')).toContain('You typed them on this device and did not save them.');
  expect(screen.queryByLabelText('Note')).toBeNull();
  press('Restore');
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Note')).value).toBe('No bones');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: /Sunday evening/ })).checked).toBe(true);
  expect(screen.queryByRole('region', { name: /Restore/ })).toBeNull();
});

test('a press on "Add a note" moves the focus to the note field; opening an order page with a saved note does not (contract §16)', async () => {
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Add a note' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Note'));
  cleanup();
  await open({ '/api/orders/9': () => ({ ...order(1, 1), note: 'No bones' }) });
  expect(document.activeElement).not.toBe(await screen.findByLabelText('Note'));
});

test('the order page shows no pick-up time and no note field when the distribution uses neither (contract §11, §16)', async () => {
  await open();
  expect(screen.queryByText('Pick-up time')).toBeNull();
  expect(screen.queryByLabelText('Note')).toBeNull();
  expect(screen.queryByText(/Order until/)).toBeNull();
});

test('before ordering opens, the order page says when ordering will open (contract §11)', async () => {
  await open({ '/api/distributions/9': () => ({ ...DISTRIBUTION, opensAt: '2999-04-01T00:00:00.000Z', timeZone: 'America/New_York' }) });
  expect(screen.getByText('Order from Sun, Mar 31, 8:00 PM')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Ordering has not opened yet' })).toBeTruthy();
});
