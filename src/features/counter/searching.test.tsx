// Tests the search of the counter while something else happens: another station hands an order over, or a family is open whose payment or
// weight staff have typed (contract §14).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { counterOfThree, heading, openFamily, pressCtrlZ, pressUndo, typeAt } from '../../../test/counter-of-three.tsx';
import { weigh } from '../../../test/data/order-rows.ts';
import { cash, eventually, setupCounter } from '../../../test/open-counter.tsx';
import { orderCode } from '../../domain/counter/barcode.ts';
import { setPickedUp } from '../pick-up/contract.ts';
import { addWrites, changeWrites, readWrites } from './device/counter-db.ts';
import { DIALOG_BEFORE_CODE, TYPED_ELSEWHERE } from './texts.ts';

const counter = setupCounter();
const { testApp, day, queued, recorded } = counter;
const { addOrder, openCounterOfThree, serveAbramov } = counterOfThree(counter);

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

test('Undo with a tap that leaves the focus in a weight field of another family does not move it, so that the next weight does not reach the search (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await serveAbramov(search);
  await openFamily(search, 'Becker');
  const field = screen.getByRole('spinbutton', { name: / 1\/2$/ });
  field.focus();
  fireEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  expect(await screen.findByText('Undone')).toBeTruthy();
  expect(document.activeElement).toBe(field);
});

test('while Undo of the last family runs and no family is open, the focus is in the search, where the next name opens its own family (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  const media = matchMedia('all');
  vi.stubGlobal('matchMedia', (query: string) => Object.assign({}, media, { matches: query === '(pointer: fine)' }));
  await serveAbramov(search);
  await pressUndo();
  expect(document.activeElement).toBe(search);
  fireEvent.change(search, { target: { value: 'Beck' } });
  expect(await screen.findByText('Undone')).toBeTruthy();
  expect([document.activeElement, screen.queryByRole('heading', { name: /^Abramov/ })]).toEqual([search, null]);
});

const scan = (orderId: number): void => typeAt(orderCode(orderId), { pause: 1 });

test('a name that is typed at the pay button is in the search after Enter, and a second Enter opens its family (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  typeAt('becker');
  expect([document.activeElement, search.value]).toEqual([search, 'becker']);
  expect(await screen.findByText(TYPED_ELSEWHERE)).toBeTruthy();
  // Its time stamp follows those of the name.
  typeAt('');
  await heading('Becker');
  expect(await recorded.payments()).toEqual([]);
});

test.each(['4', '12.38', '4,85'])('the weight %s that is typed into the search opens no family (reliability abuse)', async (weight) => {
  const { search } = await openCounterOfThree();
  fireEvent.change(search, { target: { value: weight } });
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(await screen.findByText(/^This looks like a weight or an amount\. To find/)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: /^(Abramov|Becker|Cohen)/ })).toBeNull();
});

test.each([
  { how: 'with a click', typed: '', undo: pressUndo },
  { how: 'with a click while staff search', typed: 'Coh', undo: pressUndo },
  { how: 'with Ctrl+Z at a button', typed: '', undo: () => Promise.resolve(pressCtrlZ(screen.getByRole('button', { name: 'Hand over' }))) },
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

const isQuestion = { role: 'alertdialog', open: () => fireEvent.submit(screen.getByLabelText<HTMLInputElement>('Amount')) } as const;
const isList = { role: 'dialog', open: () => fireEvent.click(screen.getByRole('button', { name: /^Online/ })) } as const;

test.each([
  { dialog: 'the question before a hand-over', ...isQuestion },
  { dialog: 'the dialog of the entries', ...isList },
])(
  'the code of the next order at $dialog is refused with a message, and the dialog and the family stay open (reliability abuse)',
  async ({ role, open }) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search, becker } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '40' } });
    open();
    const dialog = await screen.findByRole(role);
    scan(becker);
    expect(await screen.findByText(DIALOG_BEFORE_CODE)).toBeTruthy();
    expect(dialog.isConnected).toBe(true);
    expect(screen.getByRole('heading', { name: /^Abramov/, hidden: true })).toBeTruthy();
    if (role === 'dialog') return;
    fireEvent.click(within(dialog).getByRole('button', { name: 'Hand over' }));
    await eventually(async () => expect(await recorded.payments()).toEqual([4000]));
  },
);

const refusedPayments: { why: string; typed: Record<string, string> }[] = [
  { why: 'the number of the check is missing', typed: { 'Payment method': 'Check' } },
  { why: 'the cash that was given does not cover the amount', typed: { 'Cash given': '70' } },
  { why: 'staff have answered its question with Cancel', typed: { Amount: '40' } },
];

test.each(refusedPayments)(
  'when staff go on to the next family after a payment was refused because $why, a message says that it is not recorded (reliability abuse)',
  async ({ typed }) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search, becker } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    for (const [label, value] of Object.entries(typed)) fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: /^Pay .* and hand over$/ }));
    await waitFor(() => expect(document.querySelector('[aria-invalid=true], [role=alertdialog]')).toBeTruthy());
    const cancel = screen.queryByRole('button', { name: 'Cancel' });
    if (cancel) fireEvent.click(cancel);
    scan(becker);
    await heading('Becker');
    expect(await screen.findByText(/^Not recorded for .*Abramov/)).toBeTruthy();
    expect(await recorded.payments()).toEqual([]);
    await openFamily(search, 'Abramov');
    fireEvent.click(screen.getByRole('button', { name: 'Pay $100.00 in cash and hand over' }));
    await eventually(async () => expect(await recorded.payments()).toEqual([10_000]));
    expect(screen.queryByText(/^Not recorded for/)).toBeNull();
  },
);
