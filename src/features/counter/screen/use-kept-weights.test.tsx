import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { weigh } from '../../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../../test/open-counter.tsx';
import { pressKeys, readScreen, showScreen } from '../../../../test/screen.tsx';
import { CounterPage } from '../counter-page.tsx';

const { testApp, day, recorded } = setupCounter();
const field = (unit: 1 | 2) => screen.getByRole<HTMLInputElement>('spinbutton', { name: new RegExp(` ${unit}/2$`) });
const type = (target: HTMLElement, value: string): void => void fireEvent.change(target, { target: { value } });

/** Opens the counter, and the order of the family Abramov. Its two units weigh about 5 lb each. */
async function openFamily(): Promise<void> {
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  type(search, 'Abramov');
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('spinbutton', { name: / 1\/2$/ });
}

test('an unusual weight that the user has not confirmed is kept on the device; its field asks again when the family is opened again (contract §14)', async () => {
  await openFamily();
  type(field(1), '50');
  fireEvent.keyDown(field(1), { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toContain('at least 10 times the estimate');
  cleanup();
  await openFamily();
  expect(field(1).value).toBe('50');
  expect((await screen.findByRole('alert')).textContent).toContain('at least 10 times the estimate');
  expect(await recorded.weights()).toEqual([]);
  field(1).focus();
  await readScreen();
  pressKeys('y');
  await eventually(async () => expect(await recorded.weights()).toEqual([50]));
  cleanup();
  await openFamily();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a correction that was typed, but not entered, before the page was loaded again is not lost: its field asks about it, and nothing is handed over before (reliability abuse)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.87, 5.1], day.distributor);
  await openFamily();
  field(1).focus();
  pressKeys('5.87');
  cleanup();
  await openFamily();
  expect([field(1).value, screen.getByRole('alert').textContent]).toEqual([
    '5.87',
    '5.87 lb was typed here, but not recorded. Is that right?',
  ]);
  // $10.00 for each of the recorded 9.97 lb.
  fireEvent.click(screen.getByRole('button', { name: 'Pay $99.70 in cash and hand over' }));
  await waitFor(() => expect(document.activeElement).toBe(field(1)));
  expect([await recorded.weights(), await recorded.payments()]).toEqual([[4.87, 5.1], []]);
  await readScreen();
  pressKeys('Enter');
  await eventually(async () => expect((await recorded.weights()).toSorted((a, b) => a - b)).toEqual([5.1, 5.87]));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a part of a weight that was typed before the page was loaded again is not recorded without a question (reliability abuse)', async () => {
  await openFamily();
  field(1).focus();
  pressKeys('5');
  cleanup();
  await openFamily();
  field(1).focus();
  field(2).focus();
  field(1).focus();
  await readScreen();
  expect([field(1).value, await recorded.weights()]).toEqual(['5', []]);
  pressKeys('Backspace', '5.1', 'Enter');
  await eventually(async () => expect(await recorded.weights()).toEqual([5.1]));
});
