// @vitest-environment node
import '../../../test/dom-on-node.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/factories.ts';
import { makeOrder, pay, weigh } from '../../../test/order-rows.ts';
import { testWorld, type Person } from '../../../test/world.ts';
import { dismissToasts, Toaster } from '../../client/toast.tsx';
import { CallContext, makeQueryClient } from '../../client/use-calls.ts';
import type { Row } from '../../server/schema.ts';
import { AuthProvider, useAuth } from '../auth/auth-provider.tsx';
import { saveActuals } from './contract.ts';
import { WeighingPage } from './weighing-page.tsx';

const world = testWorld();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let orderId: number;
let lineId: number;

beforeEach(async () => {
  localStorage.clear();
  dismissToasts();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  HTMLDialogElement.prototype.close = () => {};
  HTMLDialogElement.prototype.showModal = () => {};
  distributor = await makeDistributor(world.db);
  agent = await makeAgent(world.db, distributor);
  customer = await makeCustomer(world.db, distributor);
  distribution = await makeDistribution(world.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(world.db, distribution, { name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true });
  const order = await makeOrder(world.db, distribution, customer, [[brisket, 4]]);
  orderId = order.id;
  lineId = order.lines[0]?.id ?? 0;
  await weigh(world.db, order.lines[0], [null, 4.5], agent);
});

function SignedIn({ children }: { children: ReactNode }): ReactNode {
  return useAuth().user === null ? null : children;
}

async function open(person: Person): Promise<void> {
  const role = person.role === 'agent' ? 'agent' : 'customer';
  navigate(`/${role}`);
  navigate(`/${role}/orders/${orderId}/actual-quantities`);
  const call = await world.as(person);
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={call}>
        <AuthProvider>
          <SignedIn>
            <Route path="/:role/orders/:orderId/actual-quantities" component={WeighingPage} />
          </SignedIn>
        </AuthProvider>
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Save' });
}

const unit = (index: number): HTMLInputElement => screen.getByRole('textbox', { name: `Brisket ${index}/4` });
const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
const type = (index: number, text: string): void => void fireEvent.change(unit(index), { target: { value: text } });
const press = (key: string, more: object = {}): void => {
  if (document.activeElement) fireEvent.keyDown(document.activeElement, { key, ...more });
};
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const weights = () =>
  world.db
    .selectFrom('actual_quantities')
    .select(['sortOrder', 'actualQuantity'])
    .where('orderProductId', '=', lineId)
    .orderBy('sortOrder')
    .execute();

test('Enter goes from one empty field to the next, over the filled ones, and at last to Save', async () => {
  await open(agent);
  expect(focused()).toBe('Brisket 1/4');
  expect(unit(1).placeholder).toBe('about 5 lb');
  type(1, '4,87');
  press('Enter');
  expect(focused()).toBe('Brisket 3/4');
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

test('Shift+Enter and the arrows go row by row, Tab skips what is filled, Esc brings back what is recorded', async () => {
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

test('an unusual weight is asked about once, answered by Enter, and marked to staff (spec §7, §8; contract §6)', async () => {
  await open(agent);
  type(1, '12');
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe('12 lb is more than double the estimate of 5 lb. Is that right?');
  expect(focused()).toBe('Brisket 1/4');
  press('Enter');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('Unusual')).toBeTruthy();
  expect(focused()).toBe('Brisket 3/4');

  // Saving asks about what was never left.
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

test('what is no weight says so in place and is not saved', async () => {
  await open(customer);
  type(1, '5lb');
  save();
  expect(screen.getByRole('alert').textContent).toContain('This is not a weight.');
  expect(unit(1).getAttribute('aria-invalid')).toBe('true');
  expect(focused()).toBe('Brisket 1/4');
  type(1, '5');
  expect(screen.queryByRole('alert')).toBeNull();
  save();
  await screen.findByText('1 weight saved.');
});

test('an emptied weight comes back with a word why, and is no change', async () => {
  await open(customer);
  unit(2).focus();
  type(2, '');
  press('Enter');
  expect(unit(2).value).toBe('4.5');
  expect(screen.getByText('4.5 lb stays: a recorded weight cannot be taken away. Type 0 if it was not delivered.')).toBeTruthy();
  save();
  await screen.findByText('No changes made');
  expect(location.pathname).toMatch(/actual-quantities$/);
});

test('a refused save loses nothing that was typed, and the page then says why', async () => {
  await open(customer);
  type(1, '4.9');
  await pay(world.db, distribution, { orderId, amount: 500, by: distributor });
  save();
  await screen.findByText('409:');
  await waitFor(() => expect(unit(1).readOnly).toBe(true));
  expect(unit(1).value).toBe('4.9');
  expect(screen.getByRole('region', { name: 'Weights cannot be entered now' }).textContent).toContain('Ask your distributor');
});

test('a unit that is gone meanwhile is named, and the others are saved', async () => {
  await open(agent);
  type(1, '4.9');
  type(4, '5.2');
  await world.db.updateTable('order_products').set({ quantity: 3 }).where('id', '=', lineId).execute();
  save();
  await screen.findByText('400:');
  await screen.findByText('Not saved, because these units are no longer ordered: 5.2.');
  save();
  await waitFor(async () => expect((await weights()).map((row) => row.actualQuantity)).toEqual([4.9, 4.5]));
});

test('a draft is offered back, over what somebody else has recorded meanwhile, and gone once it is saved', async () => {
  await open(agent);
  type(1, '4.9');
  type(3, '5.1');
  await waitFor(() => expect(Object.keys(localStorage)).toHaveLength(1));
  document.body.replaceChildren();
  const call = await world.as(customer);
  await call(saveActuals, { params: { orderId }, body: { [`${lineId}-0`]: 4.9, [`${lineId}-3`]: 5 } });

  await open(agent);
  await screen.findByRole('region', { name: 'Restore 1 unsaved change?' });
  expect([unit(1).value, unit(3).value, unit(4).value]).toEqual(['4.9', '', '5']);
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }));
  expect(unit(3).value).toBe('5.1');
  save();
  await screen.findByText('1 weight saved.');
  expect(Object.keys(localStorage)).toHaveLength(0);
});

test('Cancel clears the entries and brings a customer to the dashboard (spec §2; contract §10)', async () => {
  await open(customer);
  type(1, '4.9');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(location.pathname).toBe('/customer'));
  expect(Object.keys(localStorage)).toHaveLength(0);
  expect(await weights()).toHaveLength(1);
});
