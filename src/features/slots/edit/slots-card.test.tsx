import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { CallError, type Call } from '../../../client/api/fetch.ts';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { findOrganization, saveTimeZoneOf } from '../../organization/queries.ts';
import { changeSlot, listSlots } from '../contract.ts';
import { SlotsCard } from './slots-card.tsx';

const testApp = setupTestApp();

const QUESTION = /^Is the date right\?/;
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const click = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

test('the form asks for a confirmation of a new pick-up time whose day is neither the day of the distribution nor of another pick-up time, but not of a saved pick-up time (contract §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  const distribution = await makeDistribution(testApp.db, distributor, { date: '2027-04-15' });
  // In New York, this is still the evening of April 14.
  const eve = await makeSlot(testApp.db, distribution, { label: 'Eve', startsAt: '2027-04-15T01:00:00Z', capacity: 5 });
  const { id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [
    [await makeProduct(testApp.db, distribution), 1],
  ]);
  await testApp.db.updateTable('orders').set({ slotId: eve.id }).where('id', '=', orderId).execute();
  navigate(`/distributor/distribution/${distribution.id}`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <SlotsCard distribution={read} />}</DistributionPage>
  ));

  await screen.findByText('Eve');
  click('Add pick-up time');
  await screen.findByLabelText('Label');
  const questions = ['2027-04-15T09:00', '2027-04-14T09:00', '0002-04-16T09:00', '2027-04-16T09:00'].map((typed) => {
    type('Start', typed);
    return screen.queryByText(QUESTION)?.textContent;
  });
  const question = 'Is the date right? The distribution is on Thu, Apr 15, 2027, and this pick-up time is on Fri, Apr 16, 2027.';
  expect(questions).toEqual([undefined, undefined, undefined, question]);
  type('Label', 'Morning');
  type('Capacity', '10');
  click('Add');
  expect(await screen.findByText('Fri, Apr 16, 9:00 AM · 0 of 10 taken')).toBeTruthy();

  click('Change Morning');
  expect((await screen.findByLabelText<HTMLInputElement>('Start')).value).toBe('2027-04-16T09:00');
  expect(screen.queryByText(QUESTION)).toBeNull();
  type('Start', '2027-04-16T10:00');
  expect(screen.getByText(QUESTION)).toBeTruthy();
  type('Start', '2027-04-15T09:00');
  click('Save');
  expect(await screen.findByText('Thu, Apr 15, 9:00 AM · 0 of 10 taken')).toBeTruthy();

  click('Change Eve');
  expect(await screen.findByText('1 order has this pick-up time and keeps it. The family gets no e-mail about the change.')).toBeTruthy();
  expect(screen.queryByText(QUESTION)).toBeNull();
  click('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a changed pick-up time keeps the capacity and the start that another window has saved while the form was open (contract §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  const distribution = await makeDistribution(testApp.db, distributor, { date: '2027-04-15' });
  const { id: slotId } = await makeSlot(testApp.db, distribution, { label: 'Eve', startsAt: '2027-04-15T01:00:00Z', capacity: 10 });
  const call = await testApp.as(distributor);
  navigate(`/distributor/distribution/${distribution.id}`);
  showScreen(call, '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <SlotsCard distribution={read} />}</DistributionPage>
  ));
  fireEvent.click(await screen.findByRole('button', { name: 'Change Eve' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Capacity')).value).toBe('10');
  const changed = { startsAt: '2027-04-15T02:00:00.000Z', capacity: 4 };
  await call(changeSlot, { params: { id: distribution.id, slotId }, body: changed });
  type('Label', 'Evening');
  click('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await call(listSlots, { params: { id: distribution.id } })).toEqual([{ id: slotId, label: 'Evening', ...changed, taken: 0 }]);
});

test('when the pick-up times could not be loaded, the Info tab says so, and reads them again on request (contract §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  await makeSlot(testApp.db, distribution, { label: 'Eve', startsAt: '2027-04-15T01:00:00Z', capacity: 5 });
  const send = await testApp.as(distributor);
  let isBusy = true;
  const call: Call = (endpoint, ...args) =>
    isBusy && (endpoint as Endpoint) === listSlots ? Promise.reject(new CallError(503, 'The server is busy.')) : send(endpoint, ...args);
  navigate(`/distributor/distribution/${distribution.id}`);
  showScreen(call, '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <SlotsCard distribution={read} />}</DistributionPage>
  ));
  expect((await screen.findByRole('alert')).textContent).toContain('The pick-up times could not be loaded: The server is busy.');
  isBusy = false;
  click('Try again');
  expect(await screen.findByText('Eve')).toBeTruthy();
});

test('the first pick-up time does not replace a time zone that another window has set meanwhile: the form takes it over and asks to check the time (contract §11, §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { date: '2027-04-15' });
  navigate(`/distributor/distribution/${distribution.id}`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <SlotsCard distribution={read} />}</DistributionPage>
  ));
  fireEvent.click(await screen.findByRole('button', { name: 'Add pick-up time' }));
  fireEvent.change(await screen.findByLabelText('Time zone'), { target: { value: 'Europe/Berlin' } });
  type('Label', 'Morning');
  type('Start', '2027-04-15T09:00');
  type('Capacity', '10');
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  click('Add');
  const note = 'Somebody else has set the time zone to America/New York. The times are now in it: check them.';
  expect(await screen.findByText(note)).toBeTruthy();
  expect((await findOrganization(testApp.db, distributor.id)).timeZone).toBe('America/New_York');
  await readOthersChange();
  click('Add');
  expect(await screen.findByText('Thu, Apr 15, 9:00 AM · 0 of 10 taken')).toBeTruthy();
});

test('a changed pick-up time does not replace a capacity that another window has saved meanwhile; the form shows it before the next save replaces it (contract §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { date: '2027-04-15' });
  const { id: slotId } = await makeSlot(testApp.db, distribution, { label: 'Eve', startsAt: '2027-04-15T01:00:00Z', capacity: 10 });
  const call = await testApp.as(distributor);
  const now = async () => (await call(listSlots, { params: { id: distribution.id } }))[0];
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  navigate(`/distributor/distribution/${distribution.id}`);
  showScreen(call, '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <SlotsCard distribution={read} />}</DistributionPage>
  ));
  fireEvent.click(await screen.findByRole('button', { name: 'Change Eve' }));
  await screen.findByLabelText('Capacity');
  await call(changeSlot, { params: { id: distribution.id, slotId }, body: { capacity: 40 } });
  type('Capacity', '12');
  click('Save');
  expect(await screen.findByText(/Eve was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: 40. Saving replaces it with yours.')).toBeTruthy();
  expect((await now())?.capacity).toBe(40);
  await readOthersChange();
  click('Save');
  await waitFor(async () => expect((await now())?.capacity).toBe(12));
});
