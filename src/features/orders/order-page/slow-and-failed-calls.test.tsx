import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { DISTRIBUTION, product } from '../../../../test/fixtures/api-replies.ts';
import { freshDevice, readNothing, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { OrderPage } from './order-page.tsx';

const order = (version: number, quantity: number) => ({ id: 5, distributionId: 9, products: [{ productId: 1, quantity }], version });
const busy = (): Response => new Response('The server is busy. Try again.', { status: 503 });

const answers: Record<string, () => unknown> = {};
beforeEach(() => {
  freshDevice();
  navigate('/customer/order/9');
  Object.assign(answers, {
    '/api/user': () => ({ id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 }),
    '/api/distributions/9': () => DISTRIBUTION,
    '/api/distributions/9/products': () => [product(1, 'Brisket'), product(2, 'Merlot')],
    '/api/distributions/9/fees': () => [],
    '/api/distributions/9/waiting': () => [],
    '/api/orders/9': () => order(1, 2),
    'POST /api/orders': () => new Response('This order was changed elsewhere. Reload to see it.', { status: 409 }),
  });
});

async function open(): Promise<void> {
  const fetch = async (path: string, { method }: RequestInit): Promise<Response> => {
    const answer = (await (answers[`${method} ${path}`] ?? answers[path])?.()) ?? null;
    return answer instanceof Response ? answer : Response.json(answer, { headers: { 'x-request-id': 'id-1' } });
  };
  showScreen(makeCall({ host: '', fetch }), '/customer/order/:distributionId', OrderPage);
  await screen.findByRole('spinbutton', { name: 'Quantity of Brisket' });
}

const quantityOf = (name: string): HTMLInputElement => screen.getByRole('spinbutton', { name: `Quantity of ${name}` });
const typeQuantity = (name: string, value: string): void => void fireEvent.change(quantityOf(name), { target: { value } });
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

test('the order page keeps what the customer types while it loads an order that was changed elsewhere (contract §5)', async () => {
  await open();
  const reload = Promise.withResolvers<unknown>();
  answers['/api/orders/9'] = () => reload.promise;
  typeQuantity('Brisket', '3');
  press('Update Order');
  await screen.findByText('409:');
  typeQuantity('Merlot', '7');
  await act(async () => reload.resolve(order(2, 9)));
  expect(await screen.findByText('Choose for each of these lines, then save again. Everything else you typed is still here.')).toBeTruthy();
  expect([quantityOf('Brisket').value, quantityOf('Merlot').value]).toEqual(['3', '7']);
});

/** Answers each save with a refusal, because somebody else has saved 9. Returns how many saves the page has sent. */
function refuseSaves(): () => number {
  let saves = 0;
  const { 'POST /api/orders': refuse } = answers;
  answers['POST /api/orders'] = () => {
    saves += 1;
    return refuse?.();
  };
  answers['/api/orders/9'] = () => order(2, 9);
  return () => saves;
}

const refused = () => screen.findByText(/Choose for each of these lines/);

test.each([
  ['click of a double click', 2],
  ['tap', 1],
])(
  'a second %s on Update Order within a second after a refusal does not replace what somebody else has saved; a later one does (reliability abuse)',
  async (_, detail) => {
    await open();
    readNothing();
    const saves = refuseSaves();
    typeQuantity('Brisket', '3');
    press('Update Order');
    await refused();
    const pressAgain = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Update Order' }), { detail });
    pressAgain();
    await act(() => Promise.resolve());
    expect(saves()).toBe(1);
    await readOthersChange();
    pressAgain();
    await waitFor(() => expect(saves()).toBe(2));
  },
);

test('the notice about an order that was changed elsewhere distinguishes products of the same name', async () => {
  await open();
  typeQuantity('Brisket', '3');
  refuseSaves();
  answers['/api/distributions/9/products'] = () =>
    ['Kedem, 64 oz', 'Barkan, 64 oz'].map((description, index) => product(index + 1, 'Brisket', { description }));
  press('Update Order');
  const notice = within(await screen.findByRole('region', { name: 'This order was changed elsewhere' }));
  expect(notice.getByRole('group', { name: 'Brisket, Kedem' })).toBeTruthy();
  expect(notice.getByText('Brisket, Kedem')).toBeTruthy();
});

test('while the order is being saved, its note and its pick-up time cannot be changed, because the save would not contain the change (contract §16)', async () => {
  const reply = Promise.withResolvers<unknown>();
  Object.assign(answers, {
    '/api/distributions/9': () => ({ ...DISTRIBUTION, hasSlots: true }),
    '/api/distributions/9/slots': () => [SLOT],
    '/api/orders/9': () => ({ ...order(1, 2), slotId: 1 }),
    'POST /api/orders': () => reply.promise,
  });
  await open();
  const slot = await screen.findByRole('radio');
  typeQuantity('Brisket', '3');
  press('Update Order');
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add a note' });
  await waitFor(() => expect([add.disabled, slot.closest('[inert]') !== null]).toEqual([true, true]));
  await act(async () => reply.resolve(busy()));
  await waitFor(() => expect([add.disabled, slot.closest('[inert]')]).toEqual([false, null]));
  press('Add a note');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').readOnly).toBe(false);
  answers['POST /api/orders'] = () => Promise.withResolvers().promise;
  press('Update Order');
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Note').readOnly).toBe(true));
});

test('each time the order was changed elsewhere, the focus moves to the notice that says so (contract §5)', async () => {
  await open();
  const heading = () => screen.getByRole('heading', { name: 'This order was changed elsewhere' });
  typeQuantity('Brisket', '3');
  for (const version of [2, 3]) {
    answers['/api/orders/9'] = () => order(version, 9);
    screen.getByRole('button', { name: 'Update Order' }).focus();
    press('Update Order');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    await readOthersChange();
  }
});

test('when somebody else has changed the note and the pick-up time that the customer has changed, too, the order page shows what the next save replaces, also after a draft was restored (contract §5, §10, §16)', async () => {
  const labels = ['Friday', 'Sunday morning', 'Sunday evening'];
  Object.assign(answers, {
    '/api/distributions/9': () => ({ ...DISTRIBUTION, hasSlots: true }),
    '/api/distributions/9/slots': () => labels.map((label, index) => ({ ...SLOT, id: index + 1, label })),
    '/api/orders/9': () => ({ ...order(1, 2), note: 'Ring twice', slotId: 1 }),
  });
  await open();
  fireEvent.change(await screen.findByLabelText('Note'), { target: { value: 'No bones' } });
  fireEvent.click(await screen.findByRole('radio', { name: /Sunday evening/ }));
  answers['/api/orders/9'] = () => ({ ...order(2, 2), note: 'A neighbor picks up', slotId: 2 });
  press('Update Order');
  const noticeIs = async (text: string): Promise<void> => {
    const notice = await screen.findByRole('region', { name: 'This order was changed elsewhere' });
    await waitFor(() => expect(notice.textContent).toBe(`This order was changed elsewhere${text}`));
    expect(document.activeElement?.textContent).toBe('This order was changed elsewhere');
  };
  const both =
    'Everything you typed is still here.The note was changed to “A neighbor picks up”. Saving replaces it with yours.The pick-up time was changed to “Sunday morning”. Saving replaces it with yours.';
  await noticeIs(both);
  cleanup();
  // The draft is from the page that has shown the change, so a restored draft has no conflict.
  await open();
  press('Restore');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('No bones');
  expect(screen.queryByRole('region', { name: 'This order was changed elsewhere' })).toBeNull();
  cleanup();
  answers['/api/orders/9'] = () => ({ ...order(3, 2), note: null, slotId: 1 });
  await open();
  press('Restore');
  await noticeIs(
    'Everything you typed is still here.The note was removed. Saving stores yours.The pick-up time was changed to “Friday”. Saving replaces it with yours.',
  );
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: '' } });
  fireEvent.click(screen.getByRole('radio', { name: /Friday/ }));
  await noticeIs('Everything you typed is still here.The note was removed.The pick-up time was changed to “Friday”.');
});

const SLOT = { id: 4, label: 'Sunday evening', startsAt: '2027-04-18T22:00:00.000Z', capacity: 40, taken: 1 };

test('the order page shows that the pick-up times could not be loaded, and says so when the customer places the order (contract §16)', async () => {
  Object.assign(answers, {
    '/api/distributions/9': () => ({ ...DISTRIBUTION, hasSlots: true }),
    '/api/distributions/9/slots': busy,
    '/api/orders/9': () => null,
  });
  await open();
  const notLoaded = 'The pick-up times could not be loaded: The server is busy. Try again. Try again';
  expect((await screen.findByRole('alert')).textContent).toBe(notLoaded);
  typeQuantity('Brisket', '1');
  press('Place Order');
  expect(await screen.findByText('Your order needs a pick-up time. Choose one, then save the order.')).toBeTruthy();
  answers['/api/distributions/9/slots'] = () => [SLOT];
  fireEvent.click(within(screen.getByRole('region', { name: 'Your order' })).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('radio', { name: /Sunday evening/ })).toBeTruthy();
});

test('while the pick-up times are loading, the order page says so when the customer places the order (contract §16)', async () => {
  const slots = Promise.withResolvers<unknown>();
  Object.assign(answers, {
    '/api/distributions/9': () => ({ ...DISTRIBUTION, hasSlots: true }),
    '/api/distributions/9/slots': () => slots.promise,
    '/api/orders/9': () => null,
  });
  await open();
  typeQuantity('Brisket', '1');
  press('Place Order');
  expect(await screen.findByText('The pick-up times are still loading')).toBeTruthy();
  await act(async () => slots.resolve([SLOT]));
  expect(await screen.findByRole('radio', { name: /Sunday evening/ })).toBeTruthy();
});

test('an order that is saved after the customer has left the order page shows a message and takes the customer to no other page', async () => {
  const saved = Promise.withResolvers<unknown>();
  answers['POST /api/orders'] = () => saved.promise;
  await open();
  typeQuantity('Brisket', '3');
  press('Update Order');
  act(() => navigate('/customer/contact-info'));
  await act(async () => saved.resolve(order(2, 3)));
  expect(await screen.findByText('Order placed successfully')).toBeTruthy();
  expect(location.pathname).toBe('/customer/contact-info');
  expect(localStorage.getItem('feastday.draft.7.order-9')).toBeNull();
});

test('the order page says once that the waiting list could not be loaded, and reads it again on request (contract §12)', async () => {
  Object.assign(answers, {
    '/api/distributions/9/products': () => [1, 2].map((id) => product(id, id === 1 ? 'Brisket' : 'Merlot', { total_limit: 2, left: 0 })),
    '/api/distributions/9/waiting': busy,
  });
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain('The waiting list could not be loaded: The server is busy.');
  expect(screen.queryByRole('button', { name: 'Join the waiting list for Merlot' })).toBeNull();
  answers['/api/distributions/9/waiting'] = () => [];
  press('Try again');
  expect(await screen.findByRole('button', { name: 'Join the waiting list for Merlot' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
