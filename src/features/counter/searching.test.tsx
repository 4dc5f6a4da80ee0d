// Tests the search of the counter while something else happens: another station hands an order over, or a family is open whose payment or
// weight staff have typed (contract §14).
import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer } from '../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../test/data/order-rows.ts';
import { cash, eventually, setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { orderCode } from '../../domain/counter/barcode.ts';
import { setPickedUp } from '../pick-up/contract.ts';
import { CounterPage } from './counter-page.tsx';
import { addWrites, changeWrites, readWrites } from './device/counter-db.ts';

const { testApp, day, queued, recorded } = setupCounter();

async function addOrder(lastName: string) {
  const [brisket] = await testApp.db.selectFrom('products').selectAll().where('distributionId', '=', day.distribution.id).execute();
  return await makeOrder(testApp.db, day.distribution, await makeCustomer(testApp.db, day.distributor, { lastName }), [
    [brisket as never, 2],
  ]);
}

/** Opens the counter with the families Abramov, Becker and Cohen. Returns the search field and the number of Becker's order. */
async function openCounterOfThree() {
  const becker = await addOrder('Becker');
  await addOrder('Cohen');
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a family' });
  return { search, becker: becker.id };
}

const heading = async (name: string) => await screen.findByRole('heading', { name: new RegExp(`^${name}`) });
async function openFamily(search: HTMLElement, name: string): Promise<void> {
  fireEvent.change(search, { target: { value: name } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await heading(name);
}

test.each([
  ['the first one', 0, 'Abramov'],
  ['the one that staff have chosen with the arrow keys', 1, 'Becker'],
])(
  'when another station hands an order over, the found families keep their places, and Enter opens %s (reliability abuse)',
  async (_, downs, opened) => {
    const { search } = await openCounterOfThree();
    // Every address of a customer in the tests contains this text.
    fireEvent.change(search, { target: { value: '@' } });
    const names = () => screen.getAllByRole('option').map(({ textContent }) => /^[A-Z][a-z]+/.exec(textContent ?? '')?.[0]);
    const chosen = () => screen.getByRole('option', { selected: true }).textContent;
    expect(names()).toEqual(['Abramov', 'Becker', 'Cohen']);
    for (let down = 0; down < downs; down++) fireEvent.keyDown(search, { key: 'ArrowDown' });
    expect(chosen()).toContain(opened);
    const elsewhere = await testApp.as(day.distributor);
    await elsewhere(setPickedUp, { params: { orderId: day.order.id }, body: { pickedUp: true } });
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.getByText('Picked up')).toBeTruthy());
    expect([names(), chosen()]).toEqual([['Abramov', 'Becker', 'Cohen'], expect.stringContaining(opened)]);
    expect(document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain(opened);
    fireEvent.keyDown(search, { key: 'Enter' });
    expect(await heading(opened)).toBeTruthy();
  },
);

test('an order that is added while staff search a family does not become the chosen one (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  fireEvent.change(search, { target: { value: '@' } });
  const chosen = () => screen.getByRole('option', { selected: true }).textContent;
  expect(chosen()).toContain('Abramov');
  await addOrder('Aaron');
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByRole('option', { name: /^Aaron/ })).toBeTruthy();
  expect(chosen()).toContain('Abramov');
});

test.each(['Escape', 'Backspace'])(
  'when the search is emptied with %s, the focus stays in it, so that the next name does not pay for the open family (reliability abuse)',
  async (key) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    expect(document.activeElement?.textContent).toBe('Pay $100.00 in cash and hand over');
    search.focus();
    fireEvent.change(search, { target: { value: 'x' } });
    if (key === 'Escape') fireEvent.keyDown(search, { key });
    else fireEvent.change(search, { target: { value: '' } });
    await heading('Abramov');
    expect(document.activeElement).toBe(search);
    // The same family, found again, gets the focus as when it was opened first.
    await openFamily(search, 'Abramov');
    expect(document.activeElement?.textContent).toBe('Pay $100.00 in cash and hand over');
  },
);

/** Opens Abramov, and records the payment and the hand-over. The focus is in the search afterwards. */
async function serveAbramov(search: HTMLElement): Promise<void> {
  await openFamily(search, 'Abramov');
  fireEvent.click(screen.getByRole('button', { name: 'Pay $100.00 in cash and hand over' }));
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
}

test.each(['Escape', 'Backspace'])(
  'after Ctrl+Z, no family opens behind the name that staff have begun to type meanwhile; when the search is emptied with %s, the focus stays in it (reliability abuse)',
  async (key) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await serveAbramov(search);
    expect(document.activeElement).toBe(search);
    fireEvent.keyDown(search, { key: 'z', ctrlKey: true });
    fireEvent.change(search, { target: { value: 'Beck' } });
    expect(await screen.findByText('Undone')).toBeTruthy();
    expect(screen.getByText(/^Abramov, .*: \$100\.00 paid in cash, handed over$/)).toBeTruthy();
    if (key === 'Escape') fireEvent.keyDown(search, { key });
    else fireEvent.change(search, { target: { value: '' } });
    expect(await screen.findByText(/^0 of 3 picked up$/)).toBeTruthy();
    expect(screen.queryByRole('heading', { name: /^Abramov/ })).toBeNull();
    expect(document.activeElement).toBe(search);
  },
);

const pressUndo = async (): Promise<void> => {
  const undo = await screen.findByRole('button', { name: /^Undo/ });
  undo.focus();
  fireEvent.click(undo);
};

test.each([
  { how: 'with a click', typed: '', undo: pressUndo },
  { how: 'with a click while staff search', typed: 'Coh', undo: pressUndo },
  { how: 'with Ctrl+Z', typed: '', undo: () => fireEvent.keyDown(document.activeElement as Element, { key: 'z', ctrlKey: true }) },
])(
  'Undo $how moves the focus to the search if the step is one of another family than the open one, so that Enter does not pay for the open family (reliability abuse)',
  async ({ typed, undo }) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await serveAbramov(search);
    await openFamily(search, 'Becker');
    expect(document.activeElement).not.toBe(search);
    if (typed !== '') fireEvent.change(search, { target: { value: typed } });
    await undo();
    expect(await screen.findByText('Undone')).toBeTruthy();
    await heading('Becker');
    expect([document.activeElement, search.value]).toEqual([search, '']);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
  },
);

test('Undo does not move the focus if staff have opened another family meanwhile (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const field = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: / 1\/2$/ });
  fireEvent.change(field(), { target: { value: '4.5' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  await pressUndo();
  await openFamily(search, 'Becker');
  expect(await screen.findByText('Undone')).toBeTruthy();
  expect(document.activeElement).toBe(field());
});

test.each(['Abramov', 'Becker'])(
  'the family of a refused entry is shown at once when staff open it while they search and %s is open (reliability abuse)',
  async (opened) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    await addWrites([queued('refused', cash(1000))]);
    await changeWrites(await readWrites(), (stored) => ({ ...stored, status: 'refused', reason: 'Overtaken' }));
    const { search } = await openCounterOfThree();
    await openFamily(search, opened);
    search.focus();
    fireEvent.change(search, { target: { value: 'Coh' } });
    const look = screen.getByRole('button', { name: 'Look at it' });
    look.focus();
    fireEvent.click(look);
    fireEvent.click(await screen.findByRole('button', { name: 'Open the family' }));
    await heading('Abramov');
    expect(search.value).toBe('');
    expect(document.activeElement?.textContent).toBe('Pay $100.00 in cash and hand over');
  },
);

/** Types the code of an order into the focused field, as a scanner does: a key each millisecond, also on a busy machine. */
function scan(orderId: number): void {
  const field = document.activeElement as HTMLInputElement;
  const start = performance.now();
  const press = (key: string, index: number): void => {
    const event = createEvent.keyDown(field, { key });
    Object.defineProperty(event, 'timeStamp', { value: start + index });
    fireEvent(field, event);
  };
  const code = orderCode(orderId);
  for (const [index, key] of code.split('').entries()) {
    press(key, index);
    fireEvent.change(field, { target: { value: field.value + key } });
  }
  press('Enter', code.length);
}

test.each([
  { weight: '4.8', what: 'records', weights: [4.8], shown: '4.8', questions: 0 },
  { weight: '50', what: 'keeps, but does not record, as an unusual one', weights: [], shown: '50', questions: 1 },
])(
  'a scan of the code of the next order $what the weight $weight that is typed into a weight field (reliability abuse)',
  async ({ weight, weights, shown, questions }) => {
    const { search, becker } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const field = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: / 1\/2$/ });
    field().focus();
    fireEvent.change(field(), { target: { value: weight } });
    scan(becker);
    await heading('Becker');
    await eventually(async () => expect(await recorded.weights()).toEqual(weights));
    await openFamily(search, 'Abramov');
    expect(field().value).toBe(shown);
    expect(screen.queryAllByRole('alert')).toHaveLength(questions);
    expect(await recorded.weights()).toEqual(weights);
  },
);

test('a scan of the code of the opened order leaves the focus in the weight field (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: / 1\/2$/ });
  field.focus();
  fireEvent.change(field, { target: { value: '4.8' } });
  scan(day.order.id);
  expect([document.activeElement === field, field.value]).toEqual([true, '4.8']);
});

test('a search that is ended with Esc leaves the payment that is typed for the opened family as it was; meanwhile, its form is hidden (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const payment = { 'Payment method': 'Check', Amount: '50', Description: 'No. 12' };
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  for (const [label, value] of Object.entries(payment)) fireEvent.change(field(label), { target: { value } });
  search.focus();
  fireEvent.change(search, { target: { value: 'Co' } });
  expect(screen.getByRole('option', { name: /^Cohen/ })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: /^Abramov/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /hand over/ })).toBeNull();
  fireEvent.keyDown(search, { key: 'Escape' });
  await heading('Abramov');
  expect(Object.keys(payment).map((label) => field(label).value)).toEqual(Object.values(payment));
  fireEvent.click(screen.getByRole('button', { name: 'Pay $50.00 by check and hand over' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Hand over', hidden: true }));
  await eventually(async () => expect(await recorded.payments()).toEqual([5000]));
});
