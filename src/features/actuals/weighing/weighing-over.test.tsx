import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeOrderToWeigh } from '../../../../test/data/order-to-weigh.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { saveActuals } from '../contract.ts';
import { WeighingPage } from './weighing-page.tsx';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let orderId: number;
let lineId: number;

beforeEach(async () => {
  freshDevice();
  ({ distributor, agent, customer, orderId, lineId } = await makeOrderToWeigh(testApp.db));
});

async function open(person: Person): Promise<void> {
  const role = person.role === 'agent' ? 'agent' : 'customer';
  navigate(`/${role}`);
  navigate(`/${role}/orders/${orderId}/actual-quantities`);
  showScreen(await testApp.as(person), '/:role/orders/:orderId/actual-quantities', WeighingPage);
  await screen.findByRole('button', { name: 'Save' });
}

const unit = (index: number): HTMLInputElement => screen.getByLabelText(`Brisket ${index}/4`);
const type = (index: number, text: string): void => void fireEvent.change(unit(index), { target: { value: text } });
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const weights = () =>
  testApp.db
    .selectFrom('actual_quantities')
    .select(['sortOrder', 'actualQuantity'])
    .where('orderProductId', '=', lineId)
    .orderBy('sortOrder')
    .execute();

test('when a save is refused because somebody else has recorded a weight, the weights page shows both values of the unit to choose from (contract §6)', async () => {
  await open(agent);
  type(1, '4.9');
  type(2, '4.8');
  const call = await testApp.as(distributor);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-1`]: 5.1 } });
  save();
  await screen.findByText('409:');
  expect((await screen.findByRole('alert')).textContent).toBe('Was 4.5 lb when you typed, is 5.1 lb now. Keep yours?');
  expect([unit(1).value, unit(2).value]).toEqual(['4.9', '4.8']);
  expect((await weights()).map((row) => row.actualQuantity)).toEqual([5.1]);
  expect(screen.getByRole('button', { name: 'Take theirs, 5.1 lb' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Keep mine, 4.8 lb' }));
  save();
  await waitFor(async () => expect((await weights()).map((row) => row.actualQuantity)).toEqual([4.9, 4.8]));
});

test('the weights page shows a customer a weight that staff recorded as read-only, even when staff recorded it after the page was opened (contract §6)', async () => {
  await open(customer);
  expect([unit(1).readOnly, unit(2).readOnly]).toEqual([false, true]);
  expect(screen.getByText('Recorded by the distributor.')).toBeTruthy();
  type(1, '4.9');
  type(3, '5.2');
  const call = await testApp.as(agent);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-0`]: 5 } });
  save();
  await screen.findByText('409:');
  expect(await screen.findByText('Recorded by the distributor. Your 4.9 is not saved.')).toBeTruthy();
  expect([unit(1).value, unit(1).readOnly, unit(3).value]).toEqual(['5', true, '5.2']);
  save();
  await waitFor(async () => expect((await weights()).map((row) => row.actualQuantity)).toEqual([5, 4.5, 5.2]));
});

test('the weights page shows staff which weights the customer has entered; staff confirm these weights one by one or all at once (contract §6)', async () => {
  const call = await testApp.as(customer);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-0`]: 2.4, [`${lineId}-2`]: 5.2, [`${lineId}-3`]: 5 } });
  await open(agent);
  expect(screen.getAllByText('Entered by the family')).toHaveLength(3);
  expect(screen.getByRole('region', { name: '3 weights entered by the family' })).toBeTruthy();
  // The first weight is less than half of the estimate.
  expect(screen.getByText(/One is unusual: confirm it at its field\./)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Confirm all 2' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Confirm Brisket 1/4' }));
  expect(screen.getAllByText('Entered by the family')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm all 2' }));
  expect(screen.queryByText('Entered by the family')).toBeNull();
  save();
  await screen.findByText('3 weights saved.');
  const rows = await testApp.db.selectFrom('actual_quantities').select('updatedBy').where('orderProductId', '=', lineId).execute();
  expect(rows.map((row) => row.updatedBy)).toEqual(Array(4).fill(agent.id));
});
