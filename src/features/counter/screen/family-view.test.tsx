import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeSlot } from '../../../../test/data/factories.ts';
import { makeOrder, pay } from '../../../../test/data/order-rows.ts';
import { eventually, setupCounter, toastTitles } from '../../../../test/open-counter.tsx';
import { showScreen } from '../../../../test/screen.tsx';
import { saveTimeZoneOf } from '../../organization/queries.ts';
import { CounterPage } from '../counter-page.tsx';

const { testApp, day } = setupCounter();

test('the counter shows the pick-up time of the opened order, and its note below a heading and with its line breaks (contract §16)', async () => {
  await saveTimeZoneOf(testApp.db, day.distributor.id, 'America/New_York');
  const slot = await makeSlot(testApp.db, day.distribution, { label: 'Morning', startsAt: '2027-04-18T13:00:00Z' });
  const details = { slotId: slot.id, note: 'No bones.\nRing twice.' };
  await testApp.db.updateTable('orders').set(details).where('id', '=', day.order.id).execute();
  navigate(`/agent/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.agent), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  expect((await screen.findByRole('option')).textContent).toContain('Morning, Sun, Apr 18, 9:00 AM');
  fireEvent.keyDown(search, { key: 'Enter' });
  const note = await screen.findByText(/^No bones\.\s+Ring twice\.$/);
  expect(note.previousElementSibling?.textContent).toBe('Note');
  expect([note.textContent, note.className]).toEqual([details.note, expect.stringContaining('whitespace-pre-line')]);
  expect(screen.getByText(/Morning, Sun, Apr 18, 9:00 AM$/)).toBeTruthy();
});

async function openAsAgent(): Promise<HTMLElement> {
  navigate(`/agent/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.agent), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  return search;
}

test('a family whose order was cancelled after it was paid is found at the counter, which shows what is given back and hands nothing over (contract §14)', async () => {
  await pay(testApp.db, day.distribution, { orderId: day.order.id, amount: 5000, by: day.distributor });
  await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('orderId', '=', day.order.id).execute();
  const search = await openAsAgent();
  expect(within(await screen.findByRole('option')).getByText('Cancelled')).toBeTruthy();
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(await screen.findByText('This order was cancelled.')).toBeTruthy();
  expect(screen.getByText(/pay this amount back/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Hand over' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Next family' }));
  expect(await screen.findByText('0 of 0 picked up')).toBeTruthy();
});

test('an open order that is cancelled is closed with a message (contract §14)', async () => {
  fireEvent.keyDown(await openAsAgent(), { key: 'Enter' });
  await screen.findByText(/^Order \d+ · /);
  await testApp.db.updateTable('order_products').set({ quantity: 0 }).where('orderId', '=', day.order.id).execute();
  await testApp.db.updateTable('orders').set({ note: 'cancelled' }).where('id', '=', day.order.id).execute();
  await eventually(() => expect(toastTitles()).toContain(`Order ${day.order.id} was cancelled.`));
});

test('the counter says that another family has the same name as the opened one (contract §14)', async () => {
  const hint = 'Another family has the same name. Check the phone, the e-mail or the order number.';
  fireEvent.keyDown(await openAsAgent(), { key: 'Enter' });
  await screen.findByText(/^Order \d+ · /);
  expect(screen.queryByText(hint)).toBeNull();
  await makeOrder(testApp.db, day.distribution, await makeCustomer(testApp.db, day.distributor, { lastName: 'Abramov' }), []);
  const [product] = await testApp.db.selectFrom('products').selectAll().where('distributionId', '=', day.distribution.id).execute();
  const other = await makeCustomer(testApp.db, day.distributor, { lastName: 'Abramov' });
  await makeOrder(testApp.db, day.distribution, other, [[product as never, 1]]);
  expect(await screen.findByText(hint)).toBeTruthy();
});
