// Tests that a key press at the counter neither answers a question about a weight before anybody can have read the question, nor skips a field
// that has just got the focus.
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { pressKeys, pressOnBusyPage, readNothing, readScreen, showScreen } from '../../../test/screen.tsx';
import { CounterPage } from './counter-page.tsx';

const { testApp, day, recorded } = setupCounter();
const field = (unit: 1 | 2) => screen.getByRole<HTMLInputElement>('spinbutton', { name: new RegExp(` ${unit}/2$`) });
const type = (target: HTMLElement, value: string): void => void fireEvent.change(target, { target: { value } });
const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key });
const question = async (): Promise<string> => (await screen.findByRole('alert', {}, { timeout: 10_000 })).textContent;

/** Opens the counter, and the order of the family Abramov. Its two units weigh about 5 lb each. */
async function openFamily(): Promise<void> {
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  type(search, 'Abramov');
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('spinbutton', { name: / 1\/2$/ });
  act(() => field(1).focus());
}

/** Waits until a weight that must not be recorded would be recorded, and until somebody can have read the question. */
async function expectWeights(weights: readonly number[]): Promise<void> {
  await readScreen();
  expect(await recorded.weights()).toEqual(weights);
}

test('the second of two quick Enters, as of a key that strikes twice or a scale that ends its line with two characters, does not confirm an unusual weight (reliability abuse)', async () => {
  await openFamily();
  readNothing();
  type(field(1), '15');
  press('Enter');
  press('Enter');
  await expectWeights([]);
  expect(await question()).toBe('15 lb is more than double the estimate of 5 lb. Is that right?');
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([15]));
});

test('the second of two quick Enters does not skip an empty weight field, so that the next weights do not reach other units (reliability abuse)', async () => {
  await openFamily();
  readNothing();
  type(field(1), '4.5');
  press('Enter');
  press('Enter');
  expect(document.activeElement).toBe(field(2));
  await readScreen();
  press('Enter');
  expect(document.activeElement?.textContent).toBe('Hand over');
});

test('the second of two quick Enters does not confirm an unusual weight on a busy device, which handles the key late (reliability abuse)', async () => {
  await openFamily();
  readNothing();
  type(field(1), '15');
  press('Enter');
  pressOnBusyPage(field(1), 'Enter');
  await expectWeights([]);
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([15]));
});

test('Enter in the moment in which the weight of another station arrives does not replace that weight (reliability abuse)', async () => {
  await openFamily();
  readNothing();
  type(field(1), '4.8');
  await weigh(testApp.db, day.order.lines[0], [5.2], day.agent);
  const asked = await question();
  press('Enter');
  await expectWeights([5.2]);
  expect(asked).toBe('Was empty when you typed, is 5.2 lb now. Keep yours?');
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([4.8]));
});

test('a weight of another station that arrives while staff type is not replaced by the rest of the typed weight without a question (reliability abuse)', async () => {
  await openFamily();
  type(field(1), '4');
  await weigh(testApp.db, day.order.lines[0], [5.2], day.agent);
  await question();
  expect(field(1).selectionStart).toBe(field(1).selectionEnd);
  type(field(1), '4.8');
  expect(await question()).toBe('Was empty when you typed, is 5.2 lb now. Keep yours?');
  await readScreen();
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([4.8]));
});

test('a question of a field that has just got the focus is not answered by Enter (reliability abuse)', async () => {
  await openFamily();
  readNothing();
  type(field(1), '15');
  press('ArrowDown');
  expect(await question()).toContain('Is that right?');
  await readScreen();
  act(() => field(1).focus());
  press('Enter');
  await expectWeights([]);
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([15]));
});

/** Enters a weight like a user, or a scale that types like a keyboard, long after the weight before. */
async function enter(weight: string): Promise<void> {
  pressKeys(weight, 'Enter');
  await readScreen();
}
const TYPED_OVER =
  'What you typed last was not entered, because the weight in this field is not recorded yet. See to it first, or delete it to type another one.';
const alerts = (): string[] => screen.getAllByRole('alert').map(({ textContent }) => textContent);

test.each([
  ['an unusual weight', '10.80', '10.80 lb is more than double'],
  ['a text that is no weight', '5..1', 'This is not a weight.'],
])(
  'weights that are typed after %s, whose question nobody has answered, replace nothing and reach no other unit (reliability abuse)',
  async (_, first, asked) => {
    await openFamily();
    for (const weight of [first, '5.10', '4.70']) await enter(weight);
    expect([field(1).value, field(2).value, document.activeElement]).toEqual([first, '', field(1)]);
    expect(alerts()).toEqual([expect.stringContaining(asked.replace('.80', '.8')), TYPED_OVER]);
    expect(await recorded.weights()).toEqual([]);
  },
);

test('after weights were refused because the weight before is in question, one more Enter answers the question (reliability abuse)', async () => {
  await openFamily();
  for (const weight of ['10.80', '5.10', '']) await enter(weight);
  expect(document.activeElement).toBe(field(2));
  await enter('5.10');
  await eventually(async () => expect(await recorded.weights()).toEqual([10.8, 5.1]));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['Backspace', () => pressKeys('Backspace', '5.1')],
  ['Esc', () => pressKeys('Escape', '5.1')],
  ['a click', () => (fireEvent.click(field(1)), field(1).select(), pressKeys('5.1'))],
  ['an arrow key', () => (pressKeys('ArrowLeft'), field(1).setSelectionRange(1, 4), pressKeys('.', '2', 'Backspace', '1'))],
])('a weight in question can be corrected after %s (reliability abuse)', async (_, correct) => {
  await openFamily();
  await enter('51.0');
  correct();
  expect(screen.queryByRole('alert')).toBeNull();
  await enter('');
  await eventually(async () => expect(await recorded.weights()).toEqual([5.1]));
});

test.each(['51', '15'])(
  'the name of the next family that begins with Y does not answer the question about the weight %s, neither with Y nor with Enter (reliability abuse)',
  async (weight) => {
    await openFamily();
    await enter(weight);
    await enter('Yaffe');
    expect([field(1).value, field(2).value, document.activeElement]).toEqual([weight, '', field(1)]);
    expect(alerts()).toEqual([expect.stringContaining('Is that right?'), TYPED_OVER]);
    expect(await recorded.weights()).toEqual([]);
  },
);

test('Y alone answers the question about a weight that is far from the estimate (contract §14)', async () => {
  await openFamily();
  await enter('51');
  pressKeys('Y');
  await eventually(async () => expect(await recorded.weights()).toEqual([51]));
  expect(document.activeElement).toBe(field(2));
});
