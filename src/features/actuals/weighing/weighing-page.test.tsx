import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeOrderToWeigh } from '../../../../test/data/order-to-weigh.ts';
import { pay } from '../../../../test/data/order-rows.ts';
import { freshDevice, readScreen, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { saveActuals } from '../contract.ts';
import { WeighingPage } from './weighing-page.tsx';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let orderId: number;
let lineId: number;

beforeEach(async () => {
  freshDevice();
  ({ distributor, agent, customer, distribution, orderId, lineId } = await makeOrderToWeigh(testApp.db));
});

async function open(person: Person): Promise<void> {
  const role = person.role === 'agent' ? 'agent' : 'customer';
  navigate(`/${role}`);
  navigate(`/${role}/orders/${orderId}/actual-quantities`);
  showScreen(await testApp.as(person), '/:role/orders/:orderId/actual-quantities', WeighingPage);
  await screen.findByRole('button', { name: 'Save' });
}

const unit = (index: number): HTMLInputElement => screen.getByRole('spinbutton', { name: `Brisket ${index}/4` });
const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
const type = (index: number, text: string): void => void fireEvent.change(unit(index), { target: { value: text } });
const press = (key: string, more: object = {}): void => {
  if (document.activeElement) fireEvent.keyDown(document.activeElement, { key, ...more });
};
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const weights = () =>
  testApp.db
    .selectFrom('actual_quantities')
    .select(['sortOrder', 'actualQuantity'])
    .where('orderProductId', '=', lineId)
    .orderBy('sortOrder')
    .execute();

test('on the weights page, the Enter key moves the focus from one empty field to the next, and finally to Save', async () => {
  await open(agent);
  expect(focused()).toBe('Brisket 1/4');
  expect(unit(1).placeholder).toBe('about 5 lb');
  type(1, '4,87');
  press('Enter');
  expect(focused()).toBe('Brisket 3/4');
  await readScreen();
  press('Enter');
  expect(focused()).toBe('Brisket 4/4');
  type(4, '5');
  press('Enter');
  expect(focused()).toBe('Brisket 3/4');
  type(3, '5.5');
  press('Enter');
  expect(focused()).toBe('Save');
  expect(screen.getAllByText('4 of 4 weighed')).toHaveLength(1);
});

test('on the weights page, Shift+Enter and the arrow keys move row by row, Tab skips filled fields, and Esc restores the recorded weight', async () => {
  await open(agent);
  press('Tab');
  expect(focused()).toBe('Brisket 3/4');
  press('ArrowUp');
  expect(focused()).toBe('Brisket 2/4');
  type(2, '9');
  press('Escape');
  expect(unit(2).value).toBe('4.5');
  press('ArrowDown');
  press('Enter', { shiftKey: true });
  expect(focused()).toBe('Brisket 2/4');
});

test('the weights page asks once whether an unusual weight is right, takes the Enter key as "yes", and marks the weight for staff (spec §7, §8; contract §6)', async () => {
  await open(agent);
  type(1, '12');
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe('12 lb is more than double the estimate of 5 lb. Is that right?');
  expect(focused()).toBe('Brisket 1/4');
  await readScreen();
  press('Enter');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('Unusual')).toBeTruthy();
  expect(focused()).toBe('Brisket 3/4');

  // Saving also checks the weight whose field still has the focus.
  type(3, '1');
  save();
  expect(screen.getByRole('alert').textContent).toBe('1 lb is less than half the estimate of 5 lb. Is that right?');
  fireEvent.click(screen.getByRole('button', { name: 'Yes, 1 lb' }));
  save();
  await screen.findByText('2 weights saved.');
  expect(await weights()).toEqual([
    { sortOrder: 0, actualQuantity: 12 },
    { sortOrder: 1, actualQuantity: 4.5 },
    { sortOrder: 2, actualQuantity: 1 },
  ]);
});

test('the weights page selects the text of an unusual weight, so that the next key replaces it, and ignores repeated key events', async () => {
  await open(agent);
  type(1, '12');
  press('Enter');
  expect([unit(1).selectionStart, unit(1).selectionEnd]).toEqual([0, 2]);
  press('Enter', { repeat: true });
  expect(screen.getByRole('alert')).toBeTruthy();
  expect(focused()).toBe('Brisket 1/4');
});

test('the weights page counts only plausible or confirmed weights as weighed', async () => {
  await open(agent);
  expect(screen.getAllByText('1 of 4 weighed')).toHaveLength(1);
  expect(screen.queryByText(/not saved yet/)).toBeNull();
  type(1, '52');
  type(2, '50');
  type(3, '5');
  expect(screen.getAllByText('2 of 4 weighed')).toHaveLength(1);
  expect(screen.getByText('3 not saved yet')).toBeTruthy();
});

test('the weights page accepts a weight of ten times the estimate (a missing decimal point) only after the Y key or a click on the button', async () => {
  await open(agent);
  type(1, '52');
  press('Enter');
  await readScreen();
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe(
    '52 lb is at least 10 times the estimate of 5 lb. Is that right? Answer with Y or the button.',
  );
  expect(focused()).toBe('Brisket 1/4');
  press('y');
  await readScreen();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(focused()).toBe('Brisket 3/4');
  type(3, '0.5');
  press('Enter');
  expect(screen.getByRole('alert').textContent).toContain('at most a tenth of the estimate');
  fireEvent.click(screen.getByRole('button', { name: 'Yes, 0.5 lb' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the weights page asks whether a weight of 0 means that the unit was not delivered, and marks the unit as not delivered', async () => {
  await open(agent);
  type(1, '0');
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe('Not delivered?');
  await readScreen();
  press('Enter');
  expect(screen.getByText('Unusual: not delivered')).toBeTruthy();
});

test.each([
  ['5lb', 'This is not a weight. Type a number such as 4.87 or 4,87.'],
  ['-5', 'Actual quantity must be non-negative'],
  ['-0,5', 'Actual quantity must be non-negative'],
  ['4.8765', 'A weight has at most three decimals.'],
  ['100000', 'A weight is at most 99,999.999.'],
])(
  'the weights page explains what is wrong with the typed text %s, and names the field when the user saves (spec §5)',
  async (text, problem) => {
    await open(agent);
    type(3, text);
    save();
    expect(screen.getByRole('alert').textContent).toBe(problem);
    expect(unit(3).getAttribute('aria-invalid')).toBe('true');
    expect(focused()).toBe('Brisket 3/4');
    expect(screen.getByText('Not saved. See to Brisket 3/4 first.').closest('output')).toBeTruthy();
    type(3, '5');
    expect([screen.queryByText(/^Not saved\./), screen.queryByRole('alert')]).toEqual([null, null]);
  },
);

test('the weights page restores the recorded weight when the user empties the field, explains why, and counts no change', async () => {
  await testApp.db.updateTable('actual_quantities').set({ updatedBy: customer.id }).where('orderProductId', '=', lineId).execute();
  await open(customer);
  unit(2).focus();
  type(2, '');
  press('Enter');
  expect(unit(2).value).toBe('4.5');
  expect(screen.getByText('4.5 lb stays: a recorded weight cannot be taken away. Type 0 if it was not delivered.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Set back to not weighed' })).toBeNull();
  save();
  await screen.findByText('No changes made');
  expect(location.pathname).toMatch(/actual-quantities$/);
});

test('the weights page lets staff set a unit back to not weighed when a weight was recorded for the wrong unit', async () => {
  await open(agent);
  type(1, '4.9');
  unit(2).focus();
  type(2, '');
  press('Enter');
  expect(screen.getByText('4.5 lb stays. Type 0 if it was not delivered.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Set back to not weighed' }));
  await screen.findByText('Set back to not weighed.');
  await waitFor(() => expect(unit(2).value).toBe(''));
  expect(focused()).toBe('Brisket 2/4');
  expect([unit(1).value, screen.queryByRole('button', { name: 'Set back to not weighed' })]).toEqual(['4.9', null]);
  expect(await weights()).toEqual([]);
});

test('the weights page keeps everything that was typed after a refused save, and shows the reason', async () => {
  await open(customer);
  type(1, '4.9');
  await pay(testApp.db, distribution, { orderId, amount: 500, by: distributor });
  save();
  await screen.findByText('409:');
  await waitFor(() => expect(unit(1).readOnly).toBe(true));
  expect(unit(1).value).toBe('4.9');
  expect(screen.getByRole('region', { name: 'Weights cannot be entered now' }).textContent).toContain('Ask your distributor');
});

test('the weights page reports that a weight typed for a removed unit is not saved, and saves the weights of the other units', async () => {
  await open(agent);
  type(1, '4.9');
  type(4, '5.2');
  await testApp.db.updateTable('order_products').set({ quantity: 3 }).where('id', '=', lineId).execute();
  save();
  await screen.findByText('400:');
  await screen.findByText('Not saved, because these units are no longer ordered: 5.2.');
  save();
  await waitFor(async () => expect((await weights()).map((row) => row.actualQuantity)).toEqual([4.9, 4.5]));
});

test('the weights page offers a draft even when weights were recorded after the draft was typed, and removes the draft after a save', async () => {
  await open(agent);
  type(1, '4.9');
  type(3, '5.1');
  await waitFor(() => expect(Object.keys(localStorage)).toHaveLength(1));
  document.body.replaceChildren();
  const call = await testApp.as(distributor);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-0`]: 4.9, [`${lineId}-3`]: 5 } });

  await open(agent);
  await screen.findByRole('region', { name: 'Restore 1 unsaved change?' });
  expect(focused()).toBe('Restore');
  expect([unit(1).value, unit(3).value, unit(4).value]).toEqual(['4.9', '', '5']);
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }));
  expect([unit(3).value, focused()]).toEqual(['5.1', 'Save']);
  save();
  await screen.findByText('1 weight saved.');
  expect(Object.keys(localStorage)).toHaveLength(0);
});

test('the weights page never replaces a newer recorded weight silently by a draft, but shows both values and asks which one to keep', async () => {
  await open(agent);
  type(2, '4.8');
  await waitFor(() => expect(Object.keys(localStorage)).toHaveLength(1));
  document.body.replaceChildren();
  const call = await testApp.as(distributor);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-1`]: 5.1 } });

  await open(agent);
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
  expect(focused()).toBe('Brisket 1/4');
  expect(screen.getByRole('alert').textContent).toBe('Was 4.5 lb when you typed, is 5.1 lb now. Keep yours?');
  save();
  expect(focused()).toBe('Brisket 2/4');
  expect((await weights()).map((row) => row.actualQuantity)).toEqual([5.1]);
  fireEvent.click(screen.getByRole('button', { name: 'Take theirs, 5.1 lb' }));
  expect([unit(2).value, screen.queryByRole('alert')]).toEqual(['5.1', null]);

  type(2, '4.8');
  save();
  await screen.findByText('1 weight saved.');
  expect((await weights()).map((row) => row.actualQuantity)).toEqual([4.8]);
});

test('a save with an invalid weight in a row that is not shown shows the row and focuses the weight', { tags: ['long'] }, async () => {
  await testApp.db.updateTable('order_products').set({ quantity: 1001 }).where('id', '=', lineId).execute();
  localStorage.setItem(
    `feastday.draft.${agent.id}.actuals-${orderId}`,
    JSON.stringify({ [`${lineId}-1000`]: { text: '5lb', before: '' } }),
  );
  await open(agent);
  expect(screen.getByRole('button', { name: 'Show the next 1' })).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
  save();
  expect(focused()).toBe('Brisket 1001/1001');
  expect(screen.getByRole('alert').textContent).toContain('This is not a weight.');
});

test('Cancel discards the typed weights and returns a customer to the dashboard (spec §2; contract §10)', async () => {
  await open(customer);
  type(1, '4.9');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(location.pathname).toBe('/customer'));
  expect(Object.keys(localStorage)).toHaveLength(0);
  expect(await weights()).toHaveLength(1);
});
