// Tests a second Enter after a code at the counter: some scanners end each code with two Enters (contract §14).
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { counterOfThree, heading, openFamily, pressKeyAt } from '../../../test/counter-of-three.tsx';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter, toastTitles } from '../../../test/open-counter.tsx';
import { readScreen } from '../../../test/screen.tsx';
import { orderCode } from '../../domain/counter/barcode.ts';
import { noOrderText, PAY_ONLY, WITHOUT_PAYMENT } from './texts.ts';

const counter = setupCounter();
const { testApp, day, recorded } = counter;
const { openCounterOfThree } = counterOfThree(counter);
const payButton = () => screen.getByRole('button', { name: /^Pay \$/ });

/** Types a code and two Enters as a scanner does, each key into the element with the focus. `pause` is the time between the two Enters. */
function scanWithTwoEnters(code: string, pause: number): void {
  const start = performance.now();
  for (const [index, key] of [...code.split(''), 'Enter'].entries()) pressKeyAt(key, start + index);
  pressKeyAt('Enter', start + code.length + pause);
}

/** Opens the weighed family Abramov. The focus is then at the pay button, for long enough that Enter presses it. */
async function openAbramov() {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const opened = await openCounterOfThree();
  await openFamily(opened.search, 'Abramov');
  await eventually(() => expect(document.activeElement).toBe(payButton()));
  await readScreen();
  return opened;
}

const expectNothingRecorded = async (): Promise<void> => {
  await readScreen();
  expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[], false]);
};

const places: { place: string; focus: () => void }[] = [
  { place: 'the pay button', focus: () => payButton().focus() },
  { place: 'Pay only', focus: () => screen.getByRole('button', { name: PAY_ONLY }).focus() },
  { place: 'Cash given', focus: () => screen.getByLabelText('Cash given').focus() },
];

test.each([...places.map((place) => ({ ...place, pause: 50 })), ...places.slice(0, 1).map((place) => ({ ...place, pause: 1 }))])(
  'the code of the open family and two Enters, $pause ms apart, at $place do not pay for it (reliability abuse)',
  async ({ focus, pause }) => {
    await openAbramov();
    focus();
    await readScreen();
    scanWithTwoEnters(orderCode(day.order.id), pause);
    await expectNothingRecorded();
  },
);

test.each(places)(
  'a code without an order in this distribution and two Enters at $place do not pay for the open family (reliability abuse)',
  async ({ focus }) => {
    await openAbramov();
    focus();
    await readScreen();
    scanWithTwoEnters(orderCode(99_999), 50);
    expect(toastTitles()).toContain(noOrderText(99_999));
    await expectNothingRecorded();
  },
);

test('the code of an order and two Enters at the button that confirms a hand-over do not hand over the open family (reliability abuse)', async () => {
  await openAbramov();
  fireEvent.click(screen.getByRole('button', { name: WITHOUT_PAYMENT }));
  const question = await screen.findByRole('alertdialog');
  const confirm = [...question.querySelectorAll('button')].at(-1);
  await eventually(() => expect(question.contains(document.activeElement)).toBe(true));
  confirm?.focus();
  await readScreen();
  scanWithTwoEnters(orderCode(99_999), 50);
  await expectNothingRecorded();
});

test.each(['the pay button', 'the search'])(
  'the code of an order that is not weighed and two Enters at %s leave the focus in the first weight field (contract §14)',
  async (place) => {
    const { search, becker } = await openAbramov();
    if (place === 'the search') search.focus();
    scanWithTwoEnters(orderCode(becker), 50);
    expect(await heading('Becker')).toBeTruthy();
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/ 1\/2$/);
  },
);
