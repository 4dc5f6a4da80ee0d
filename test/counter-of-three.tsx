// Opens the screen of a counter with three families, and types on it (contract §14).
import { createEvent, fireEvent, screen } from '@testing-library/react';
import { navigate } from 'wouter/use-browser-location';
import { CounterPage } from '../src/features/counter/counter-page.tsx';
import { makeCustomer } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { expect } from 'vitest';
import { eventually, type setupCounter } from './open-counter.tsx';
import { showScreen } from './screen.tsx';

export const heading = async (name: string) => await screen.findByRole('heading', { name: new RegExp(`^${name}`) });

/** The time stamp of the last key of `typeAt`, in milliseconds. */
let typedAt = -Infinity;

function pressAt(place: HTMLElement, key: string, timeStamp: number): boolean {
  const event = createEvent.keyDown(place, { key });
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  return fireEvent(place, event);
}

export async function openFamily(search: HTMLElement, name: string): Promise<void> {
  fireEvent.change(search, { target: { value: name } });
  pressAt(search, 'Enter', Math.max(performance.now(), typedAt + 400));
  await heading(name);
}

/** Sets up the families Abramov, Becker and Cohen, each with the same order. Abramov's is the order of the counter's day. */
export function counterOfThree({ testApp, day, recorded }: ReturnType<typeof setupCounter>) {
  async function addOrder(lastName: string, phone = '555-0100') {
    const [brisket] = await testApp.db.selectFrom('products').selectAll().where('distributionId', '=', day.distribution.id).execute();
    return await makeOrder(testApp.db, day.distribution, await makeCustomer(testApp.db, day.distributor, { lastName, phone }), [
      [brisket as never, 2],
    ]);
  }
  /** Opens the counter. Returns the search field, and the number and the lines of Becker's order. */
  async function openCounterOfThree() {
    const becker = await addOrder('Becker');
    await addOrder('Cohen');
    navigate(`/distributor/distribution/${day.distribution.id}/counter`);
    showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
    const search = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a family' });
    return { search, becker: becker.id, lines: becker.lines };
  }
  /** Opens Abramov, and records the payment and the hand-over. The focus is in the search afterwards. */
  async function serveAbramov(search: HTMLElement): Promise<void> {
    await openFamily(search, 'Abramov');
    fireEvent.click(screen.getByRole('button', { name: 'Pay $100.00 in cash and hand over' }));
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
  }
  return { addOrder, openCounterOfThree, serveAbramov };
}

/** What a key does to a field: it replaces the selected text. A number field drops letters. */
function insert(field: HTMLInputElement, key: string): void {
  if (field.type === 'number' && !/[\d.]/.test(key)) return;
  const { value, selectionStart, selectionEnd } = field;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  fireEvent.change(field, { target: { value: value.slice(0, from) + key + value.slice(to) } });
}

/**
 * Presses a key with this time stamp at the element with the focus, and does what a browser does then, unless the page prevents it: Enter
 * presses a button or submits the form of a field, and a character is inserted into a field.
 */
export function pressKeyAt(key: string, timeStamp: number): void {
  const place = document.activeElement as HTMLElement;
  if (!pressAt(place, key, timeStamp)) return;
  const isEnter = key === 'Enter';
  if (place instanceof HTMLInputElement && key.length === 1) insert(place, key);
  if (place instanceof HTMLInputElement && isEnter && place.form) fireEvent.submit(place.form);
  if (place instanceof HTMLButtonElement && isEnter) fireEvent.click(place);
}

/**
 * Types a text and then Enter, or another last key, into the element with the focus. The time stamps of the keys do not depend on the speed of the machine: each key
 * follows `pause` milliseconds after the one before, and the first key follows at least 0.4 seconds after the last key of the previous text.
 */
export function typeAt(text: string, { pause = 100, last = 'Enter' } = {}): void {
  const start = Math.max(performance.now() - 1000, typedAt + 400);
  typedAt = start + text.length * pause;
  for (const [index, key] of [...text.split(''), last].entries()) pressKeyAt(key, start + index * pause);
}

/** Presses the Undo button as a browser does that focuses a button on a click. */
export async function pressUndo(): Promise<void> {
  const undo = await screen.findByRole('button', { name: /^Undo/ });
  undo.focus();
  fireEvent.click(undo);
}

export function pressCtrlZ(place: HTMLElement, init: KeyboardEventInit = {}): void {
  place.focus();
  fireEvent.keyDown(place, { key: 'z', ctrlKey: true, ...init });
}
