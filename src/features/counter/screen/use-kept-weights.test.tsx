import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { eventually, setupCounter } from '../../../../test/open-counter.tsx';
import { readScreen, showScreen } from '../../../../test/screen.tsx';
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
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'y' });
  await eventually(async () => expect(await recorded.weights()).toEqual([50]));
  cleanup();
  await openFamily();
  expect(screen.queryByRole('alert')).toBeNull();
});
