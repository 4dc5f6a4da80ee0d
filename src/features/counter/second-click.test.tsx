// A person who clicks or presses twice has not read what the second press would record. These tests show that the counter ignores the second
// press: a click at the same place, even if it is too slow for a double click, and another press of "Pay only" (contract §14).
import { createEvent, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { counterOfThree, heading, openFamily, pressKeyAt } from '../../../test/counter-of-three.tsx';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { readNothing, readScreen } from '../../../test/screen.tsx';
import { JUST_MOVED, PAY_ONLY, REST_NOT_RECORDED } from './texts.ts';

const counter = setupCounter();
const { testApp, day, recorded } = counter;
const { openCounterOfThree } = counterOfThree(counter);

beforeEach(async () => {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
});

/** When the first click of a test was made. */
let began = 0;

/** Clicks as a finger or a mouse does. All clicks are at the same place. `at` is their time in milliseconds after the first one. */
function clickAt(at: number, element: HTMLElement): void {
  if (at === 0) began = performance.now();
  for (const type of ['pointerDown', 'click'] as const) {
    const event = createEvent[type](element, { detail: 1, clientX: 50, clientY: 50 });
    Object.defineProperty(event, 'timeStamp', { value: began + at });
    fireEvent(element, event);
  }
}

const message = () => screen.queryByText(JUST_MOVED.title);
const payOnly = () => screen.getByRole('button', { name: PAY_ONLY });

test('a second click on "Pay only" 0.9 s after the first one does not record the rest, and a message says so; a later one does (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  await openFamily(search, 'Abramov');
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '40' } });
  clickAt(0, payOnly());
  await eventually(async () => expect(await recorded.payments()).toEqual([4000]));
  expect(message()).toBeNull();
  clickAt(900, payOnly());
  await readScreen();
  expect(await screen.findByText(JUST_MOVED.title)).toBeTruthy();
  expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[4000], false]);
  clickAt(3900, payOnly());
  await eventually(async () => expect(await recorded.payments()).toEqual([4000, 6000]));
  // The message is true no longer.
  await eventually(() => expect(message()).toBeNull());
});

test('a second click 0.9 s after the one that has opened a found family does not pay for it (reliability abuse)', async () => {
  const { search } = await openCounterOfThree();
  fireEvent.input(search, { target: { value: 'Abramov' } });
  clickAt(0, screen.getByRole('option', { name: /^Abramov/ }));
  await heading('Abramov');
  clickAt(900, screen.getByRole('button', { name: 'Pay $100.00 in cash and hand over' }));
  await readScreen();
  expect(await screen.findByText(JUST_MOVED.title)).toBeTruthy();
  expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[], false]);
});

const presses: { second: string; press: () => void }[] = [
  { second: 'Enter on "Pay only"', press: () => pressKeyAt('Enter', performance.now()) },
  { second: 'the space key on "Pay only"', press: () => pressKeyAt(' ', performance.now()) },
  { second: 'a click elsewhere on "Pay only"', press: () => fireEvent.click(payOnly()) },
];

test.each(presses)(
  '$second 1.2 s after "Pay only" does not record the rest, and a message says so; a later one does (reliability abuse)',
  async ({ press }) => {
    readNothing();
    const { search } = await openCounterOfThree();
    await openFamily(search, 'Abramov');
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '40' } });
    payOnly().focus();
    vi.advanceTimersByTime(500);
    pressKeyAt('Enter', performance.now());
    await eventually(async () => expect(await recorded.payments()).toEqual([4000]));
    vi.advanceTimersByTime(1200);
    press();
    expect(await screen.findByText(REST_NOT_RECORDED.title)).toBeTruthy();
    expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[4000], false]);
    vi.advanceTimersByTime(400);
    press();
    await eventually(async () => expect(await recorded.payments()).toEqual([4000, 6000]));
  },
);
