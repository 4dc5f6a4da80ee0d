// Tests what Enter does with a text that staff type by mistake into the search of the counter or at a button (contract §14).
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { counterOfThree, heading, openFamily, typeAt } from '../../../test/counter-of-three.tsx';
import { weigh } from '../../../test/data/order-rows.ts';
import { readScreen } from '../../../test/screen.tsx';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { IS_THIS_AN_AMOUNT, TYPED_ELSEWHERE, TYPED_IN_A_DIALOG } from './texts.ts';

const counter = setupCounter();
const { testApp, day, recorded } = counter;
const { addOrder, openCounterOfThree } = counterOfThree(counter);
const openedFamily = () => screen.queryByRole('heading', { name: /^(Abr|Becker|Cohen)/, hidden: true });

test.each([
  { weights: ['4.5', '5.5'], phone: '(718) 455-5012' },
  { weights: ['4,5', '5,5'], phone: '(718) 455-5012' },
  { weights: ['12', '15'], phone: '(718) 121-5012' },
  { weights: ['.5', '4,'], phone: '718.554.5012' },
])(
  'the weights $weights, typed one after another into the search, replace each other and open no family (reliability abuse)',
  async ({ weights, phone }) => {
    await testApp.db.updateTable('contacts').set({ phone }).where('userId', '=', day.customer.id).execute();
    const { search } = await openCounterOfThree();
    search.focus();
    for (const weight of weights) {
      typeAt(weight);
      expect([openedFamily(), search.value]).toEqual([null, weight]);
    }
    expect(await screen.findAllByText(/^This looks like a weight or an amount\. To find/)).not.toEqual([]);
  },
);

test.each(['$120', '1,234.50'])('a message says that the amount %s, which finds nobody, is no family (contract §14)', async (amount) => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  act(() => search.focus());
  typeAt(amount);
  expect(await screen.findByText(/^This looks like a weight or an amount\. To find/)).toBeTruthy();
});

test('a text that finds nobody is replaced by the next text (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  search.focus();
  typeAt('FD1:999999999');
  typeAt('nobody');
  typeAt('becker');
  expect(await heading('Becker')).toBeTruthy();
});

test('after a name that was typed at the pay button, the next text replaces the name in the search (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  for (const text of ['becker', 'cohen']) typeAt(text);
  expect(await heading('Cohen')).toBeTruthy();
});

test.each([
  { name: 'becker', end: 'Enter' },
  { name: 'becker', end: 'Tab' },
  { name: 'Yaffe', end: 'Enter' },
])(
  'the name "$name" that is typed into a weight field is in the search after $end, so that neither the next weight nor the next Enter reaches the open family (reliability abuse)',
  async ({ name, end }) => {
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const [first] = screen.getAllByRole('spinbutton');
    act(() => first?.focus());
    typeAt(name, { last: end });
    expect([document.activeElement, search.value]).toEqual([search, name]);
    expect(await screen.findByText(TYPED_ELSEWHERE)).toBeTruthy();
    typeAt('4.8');
    typeAt('');
    expect([await recorded.weights(), await recorded.payments(), await recorded.isPickedUp()]).toEqual([[], [], false]);
    expect(screen.queryAllByRole<HTMLInputElement>('spinbutton', { hidden: true }).map(({ value }) => value)).toEqual(['', '']);
  },
);

test.each(['becker', 'Yaffe'])(
  'the name "%s" that is typed over a weight in question is in the search after Enter, and the weight and its question stay in the field (reliability abuse)',
  async (name) => {
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const [first] = screen.getAllByRole<HTMLInputElement>('spinbutton');
    act(() => first?.focus());
    typeAt('40');
    await screen.findByText(/^40 lb is more than double/);
    await readScreen();
    typeAt(name);
    expect([document.activeElement, search.value]).toEqual([search, name]);
    fireEvent.change(search, { target: { value: '' } });
    expect((await screen.findAllByRole<HTMLInputElement>('spinbutton'))[0]?.value).toBe('40');
    expect(screen.getByText(/^40 lb is more than double/)).toBeTruthy();
    expect(await recorded.weights()).toEqual([]);
  },
);

test.each(['becker', 'bekcer', 'Grünbaum'])(
  'a weight after which Enter was forgotten is recorded when the name %s is typed behind it, which moves to the search (reliability abuse)',
  async (name) => {
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const [first] = screen.getAllByRole('spinbutton');
    act(() => first?.focus());
    typeAt(`4.8${name}`);
    expect([document.activeElement, search.value]).toEqual([search, name]);
    await eventually(async () => expect(await recorded.weights()).toEqual([4.8]));
    expect(await recorded.isPickedUp()).toBe(false);
  },
);

test.each([{ texts: ['40becker'] }, { texts: ['40', 'becker'] }])(
  'a weight in question stays with its question when the next name is typed as $texts and its family is opened (reliability abuse)',
  async ({ texts }) => {
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const [first] = screen.getAllByRole('spinbutton');
    act(() => first?.focus());
    for (const text of texts) {
      await readScreen();
      typeAt(text);
    }
    typeAt('');
    expect(await heading('Becker')).toBeTruthy();
    await openFamily(search, 'Abramov');
    expect(screen.getAllByRole<HTMLInputElement>('spinbutton')[0]?.value).toBe('40');
    expect(screen.getByText(/^40 lb is more than double/)).toBeTruthy();
  },
);

test('after a name was typed over a weight in question and left, Enter in the field moves it to the search, and the field asks again (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const [first] = screen.getAllByRole<HTMLInputElement>('spinbutton');
  act(() => first?.focus());
  typeAt('40');
  await readScreen();
  typeAt('becke', { last: 'r' });
  act(() => first?.blur());
  act(() => first?.focus());
  typeAt('');
  expect([document.activeElement, search.value]).toEqual([search, 'becker']);
  expect(first?.value).toBe('40');
});

test('a weight in question stays with its question when a name is typed over it, its field is left with a click, and another family is opened (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const [first] = screen.getAllByRole('spinbutton');
  act(() => first?.focus());
  typeAt('40');
  await readScreen();
  typeAt('becke', { last: 'r' });
  act(() => search.focus());
  await openFamily(search, 'Becker');
  await openFamily(search, 'Abramov');
  expect(screen.getAllByRole<HTMLInputElement>('spinbutton')[0]?.value).toBe('40');
  expect(screen.getByText(/^40 lb is more than double/)).toBeTruthy();
});

test('a unit of measure behind a weight is taken for the name of a family only if a family has this name (contract §14)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  const [first] = screen.getAllByRole<HTMLInputElement>('spinbutton');
  act(() => first?.focus());
  typeAt('4.8 LB');
  expect([first?.value, search.value]).toEqual(['4.8 LB', '']);
  expect(await recorded.weights()).toEqual([]);
});

test('Tab after a name that was typed at the pay button moves the name to the search, so that the next Enter presses no other button (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  typeAt('becker', { last: 'Tab' });
  expect([document.activeElement, search.value]).toEqual([search, 'becker']);
  typeAt('');
  expect(await heading('Becker')).toBeTruthy();
  expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[], false]);
});

test.each(['120', '120.00', '4.5', '$100'])(
  'the amount %s that is typed at the pay button is not searched, so that the next presses of Enter open and pay for no family (reliability abuse)',
  async (amount) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    typeAt(amount);
    expect(await screen.findByText(IS_THIS_AN_AMOUNT)).toBeTruthy();
    for (let press = 0; press < 3; press++) typeAt('');
    expect([document.activeElement, search.value, openedFamily()?.textContent]).toEqual([search, '', expect.stringMatching(/^Abramov/)]);
    expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[], false]);
  },
);

test.each([
  { label: 'Amount', name: 'Marcus' },
  { label: 'Amount', name: 'לוי' },
  { label: 'Fee percentage', name: 'Lin' },
  { label: 'Cash given', name: 'Marcus' },
])(
  'the next name $name that is typed into "$label" is shown and refused, and does not pay for the open family (reliability abuse)',
  async ({ label, name }) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    if (label === 'Fee percentage') {
      fireEvent.change(screen.getByLabelText('Payment method'), { target: { value: 'Credit Card' } });
      fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'Card 4711' } });
    }
    const field = screen.getByLabelText<HTMLInputElement>(label);
    field.focus();
    typeAt(name);
    expect(await screen.findByText(/^Type an amount in dollars|^Type a percentage/)).toBeTruthy();
    expect([field.value, await recorded.payments(), await recorded.isPickedUp()]).toEqual([expect.stringContaining(name), [], false]);
  },
);

test.each(['100', '100.00', '100,00', '$100', ' 100 '])(
  'the amount %s that is typed into "Amount" is recorded (contract §14)',
  async (amount) => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    const field = screen.getByLabelText<HTMLInputElement>('Amount');
    field.focus();
    field.select();
    typeAt(amount);
    await eventually(async () => expect(await recorded.payments()).toEqual([10_000]));
  },
);

test('the amount 1200 that is typed twice, at the pay button and then into the search, opens no family by its phone number (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  await addOrder('Dayan', '555-1200');
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  for (const text of ['1200', '1200']) typeAt(text);
  expect(await screen.findByText(/^This looks like a weight or an amount. To open Dayan/)).toBeTruthy();
  expect(openedFamily()?.textContent).toMatch(/^Abramov/);
});

test('a name at the pay button chooses another family of this name before the open one, also if the open one was searched with it (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  await addOrder('Abrams');
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abram');
  await heading('Abramov');
  typeAt('abram');
  expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^Abrams/);
  typeAt('');
  expect(await heading('Abrams')).toBeTruthy();
  expect(await recorded.payments()).toEqual([]);
});

test('a name that is typed at a button of a question is not moved to the search, and the question stays (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  fireEvent.click(screen.getByRole('button', { name: 'Hand over' }));
  const question = await screen.findByRole('alertdialog');
  await eventually(() => expect(question.contains(document.activeElement)).toBe(true));
  typeAt('becker');
  expect(await screen.findByText(TYPED_IN_A_DIALOG)).toBeTruthy();
  expect([search.value, question.contains(document.activeElement)]).toEqual(['', true]);
  expect(openedFamily()).toBeTruthy();
});

test('letters that are typed in a menu choose an item, and Enter opens it; they are not moved to the search (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  const menu = screen.getByRole('button', { name: 'Tills and more' });
  menu.focus();
  fireEvent.keyDown(menu, { key: 'Enter' });
  const tills = await screen.findByRole('menuitem', { name: 'Tills' });
  tills.focus();
  typeAt('tills');
  expect([search.value, document.activeElement === search]).toEqual(['', false]);
});
