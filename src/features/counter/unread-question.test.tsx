// Tests that a key press at the counter neither answers a question about a weight before anybody can have read the question, nor skips a field
// that has just got the focus.
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { pressOnBusyPage, readNothing, readScreen, showScreen } from '../../../test/screen.tsx';
import { replacedText } from '../actuals/texts.ts';
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

test('a name that is typed over a weight and its question about the weight of another station moves to the search, and the question stays (reliability abuse)', async () => {
  await openFamily();
  type(field(1), '4.8');
  await weigh(testApp.db, day.order.lines[0], [5.2], day.agent);
  await question();
  act(() => field(1).blur());
  act(() => field(1).focus());
  await readScreen();
  type(field(1), 'becker');
  press('Enter');
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('becker');
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: / 1\/2$/, hidden: true }).value).toBe('4.8');
  expect(screen.getByText('Was empty when you typed, is 5.2 lb now. Keep yours?')).toBeTruthy();
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

test('the name of the next family that begins with Y does not answer the question about a weight that is far from the estimate; Y alone does (reliability abuse)', async () => {
  await openFamily();
  type(field(1), '51');
  press('Enter');
  expect(await question()).toContain('Answer with Y');
  await readScreen();
  for (const key of 'Yaffe') press(key);
  await expectWeights([]);
  // The field receives the Y. These key presses insert no other letters.
  expect([document.activeElement, field(1).value]).toEqual([field(1), 'Y']);
  press('Escape');
  expect(await question()).toContain('Answer with Y');
  await readScreen();
  press('Y');
  await eventually(async () => expect(await recorded.weights()).toEqual([51]));
  expect(document.activeElement).toBe(field(2));
});

test.each([
  { next: 'Enter', press: () => press('Enter'), weights: [51, 5.1] },
  { next: 'a digit', press: () => press('5'), weights: [51, 5.1] },
])(
  'Y answers the question about a weight that is far from the estimate, also if $next follows at once; the next weight does not replace the confirmed one (reliability abuse)',
  async ({ press: pressNext, weights }) => {
    await openFamily();
    type(field(1), '51');
    press('Enter');
    expect(await question()).toContain('Answer with Y');
    await readScreen();
    press('Y');
    pressNext();
    await eventually(async () => expect(await recorded.weights()).toEqual([51]));
    expect(document.activeElement).toBe(field(2));
    type(field(2), '5.1');
    await readScreen();
    press('Enter');
    await eventually(async () => expect(await recorded.weights()).toEqual(weights));
  },
);

test('a weight that staff type over another one, about which the field asks, is recorded, and a message names the weight that is not recorded, because it may be the weight of another unit (reliability abuse)', async () => {
  await openFamily();
  type(field(1), '10.80');
  press('Enter');
  await question();
  type(field(1), '5.10');
  press('Enter');
  expect(await screen.findByText(replacedText('10.80'))).toBeTruthy();
  expect(document.activeElement).toBe(field(2));
  await eventually(async () => expect(await recorded.weights()).toEqual([5.1]));
  expect(screen.getByText(/not recorded/)).toBeTruthy();
  type(field(1), '5.2');
  expect(screen.queryByText(/not recorded/)).toBeNull();
});

test('a weight that staff type again with the decimal point in the right place is recorded without a message (contract §6)', async () => {
  await openFamily();
  type(field(1), '51');
  press('Enter');
  await question();
  type(field(1), '5.10');
  press('Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([5.1]));
  expect(screen.queryByText(/not recorded/)).toBeNull();
});
