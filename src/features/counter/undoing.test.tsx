// Tests what Undo does at the counter while staff type, or while they serve the next family (contract §14).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { counterOfThree, heading, openFamily, pressCtrlZ, pressUndo } from '../../../test/counter-of-three.tsx';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { UNDO } from './texts.ts';

const counter = setupCounter();
const { testApp, day, recorded } = counter;
const { openCounterOfThree, serveAbramov } = counterOfThree(counter);
const input = (field: HTMLElement, value: string): void => void fireEvent.input(field, { target: { value } });
async function pressCtrlZAndCancel(dialog: HTMLElement, label: string): Promise<void> {
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  pressCtrlZ(document.activeElement as HTMLElement);
  fireEvent.click(within(dialog).getByRole('button', { name: label }));
}
const weightField = (unit: 1 | 2) => screen.getByRole('spinbutton', { name: new RegExp(` ${unit}/2$`) });

test.each<{ what: string; press: (search: HTMLInputElement) => Promise<void> | void }>([
  { what: 'that is held in the search', press: (search) => pressCtrlZ(search, { repeat: true }) },
  {
    what: 'in the search after staff have undone their own typing there',
    press: (search) => {
      input(search, 'Beck');
      input(search, '');
      pressCtrlZ(search);
    },
  },
  {
    what: 'in an empty weight field of the next family',
    press: async (search) => {
      await openFamily(search, 'Becker');
      pressCtrlZ(weightField(1));
    },
  },
  {
    what: 'at the question before the hand-over to the next family',
    press: async (search) => {
      await openFamily(search, 'Becker');
      fireEvent.click(screen.getByRole('button', { name: 'Hand over' }));
      await pressCtrlZAndCancel(await screen.findByRole('alertdialog'), 'Cancel');
    },
  },
  {
    what: 'in the dialog of the entries',
    press: async () => {
      fireEvent.click(screen.getByRole('button', { name: /^Online/ }));
      await pressCtrlZAndCancel(await screen.findByRole('dialog'), 'Close');
    },
  },
])('Ctrl+Z $what does not take back the last payment and hand-over; the Undo button does (reliability abuse)', async ({ press }) => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await serveAbramov(search);
  await press(search);
  expect(await screen.findByRole('button', { name: new RegExp(`^${UNDO}`) })).toBeTruthy();
  await pressUndo();
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
});

test('Ctrl+Z in an empty weight field takes back the last weight of its family (contract §14)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  weightField(1).focus();
  input(weightField(1), '4.5');
  fireEvent.keyDown(weightField(1), { key: 'Enter' });
  await eventually(async () => expect(await recorded.weights()).toEqual([4.5]));
  pressCtrlZ(weightField(2));
  await eventually(async () => expect(await recorded.weights()).toEqual([]));
});

test.each<{ what: string; meanwhile: (search: HTMLInputElement) => void }>([
  {
    what: 'served another family',
    meanwhile: (search) => {
      input(search, 'Becker');
      fireEvent.keyDown(search, { key: 'Enter' });
      fireEvent.click(screen.getByRole('button', { name: 'Pay $100.00 in cash and hand over' }));
    },
  },
  {
    what: 'typed into the search and emptied it again',
    meanwhile: (search) => {
      input(search, 'Beck');
      input(search, '');
    },
  },
])('Undo that ends late does not open its family if staff have $what meanwhile (reliability abuse)', async ({ meanwhile }) => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search, lines } = await openCounterOfThree();
  await weigh(testApp.db, lines[0], [4.5, 5.5], day.distributor);
  // The counter reads the weights of the other station.
  act(() => void dispatchEvent(new Event('online')));
  await openFamily(search, 'Becker');
  await screen.findByRole('button', { name: 'Pay $100.00 in cash and hand over' });
  await serveAbramov(search);
  await pressUndo();
  meanwhile(search);
  expect(await screen.findByText('Undone')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: /^(Abramov|Becker)/ })).toBeNull();
});

test('Undo that nothing follows opens its family (contract §14)', async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const { search } = await openCounterOfThree();
  await serveAbramov(search);
  pressCtrlZ(search);
  expect(await heading('Abramov')).toBeTruthy();
});
