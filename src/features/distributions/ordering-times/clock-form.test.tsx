import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor } from '../../../../test/data/factories.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { makeQueryClient, refreshReads } from '../../../client/api/use-calls.ts';
import type { BodyInputOf } from '../../../shared/endpoint.ts';
import { findOrganization, saveTimeZoneOf } from '../../organization/queries.ts';
import { changeDistribution } from '../contract.ts';
import { DistributionPage } from '../distribution-page.tsx';
import { ClockCard } from './clock-card.tsx';

const testApp = setupTestApp();

async function openCard(values: Parameters<typeof makeDistribution>[2], timeZone: string | null = 'America/New_York') {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  await saveTimeZoneOf(testApp.db, distributor.id, timeZone);
  const { id } = await makeDistribution(testApp.db, distributor, { date: '2099-04-15', ...values });
  navigate(`/distributor/distribution/${id}`);
  const [call, client] = [await testApp.as(distributor), makeQueryClient()];
  const Card = () => <DistributionPage waiting={null}>{(read) => <ClockCard distribution={read} />}</DistributionPage>;
  showScreen(call, '/distributor/distribution/:id', Card, client);
  await screen.findByRole('heading', { name: 'When customers order' });
  /** Changes the distribution as another window does. The page reads the change only when `refresh` is called. */
  const change = (body: BodyInputOf<typeof changeDistribution>) => call(changeDistribution, { params: { id }, body });
  const refresh = (): Promise<void> => act(() => refreshReads(client));
  return { distributor, change, refresh };
}

/** Opens the form for a distribution with these values, and returns the field of the closing time. */
async function openForm(values: Parameters<typeof makeDistribution>[2]): Promise<HTMLInputElement> {
  await openCard(values);
  fireEvent.click(await screen.findByRole('button', { name: /times$/ }));
  return await screen.findByLabelText('Ordering closes');
}

test('in a closed distribution without times, the card says that ordering is closed and offers no times (contract §11)', async () => {
  await openCard({ orderingOpen: false });
  expect(screen.getByText('Ordering is closed.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /times$/ })).toBeNull();
});

test('the form of the ordering times says at the field why a closing time is refused, and asks for a confirmation if the time is after the distribution (contract §11)', async () => {
  const closes = await openForm({});
  const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } });
  const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const errorOf = (field: HTMLElement) => field.getAttribute('aria-invalid') && field.getAttribute('aria-describedby')?.split(' ').at(-1);
  const error = (): string | null | undefined => document.getElementById(errorOf(closes) ?? '')?.textContent;

  type(screen.getByLabelText('Ordering opens'), '2099-04-02T08:00');
  type(closes, '2099-04-01T20:00');
  expect(error()).toBeUndefined();
  save();
  expect(error()).toBe('Ordering must close after it opens.');
  type(closes, '2020-04-01T20:00');
  expect(error()).toBe('Ordering must close in the future.');
  type(closes, '2099-04-16T20:00');
  expect(error()).toBeUndefined();
  expect(screen.getByText('Is the date right? The distribution is on Wed, Apr 15, 2099, before ordering closes.')).toBeTruthy();
  save();
  expect(await screen.findByText('Thu, Apr 16, 8:00 PM')).toBeTruthy();
});

test('the form of the ordering times asks for no confirmation once ordering is closed, because the closing time can then not be changed (contract §11)', async () => {
  const closes = await openForm({ closesAt: '2099-04-17T00:00:00.000Z', orderingOpen: false });
  expect([closes.disabled, closes.value]).toEqual([true, '2099-04-16T20:00']);
  expect(screen.queryByText(/Is the date right/)).toBeNull();
});

/** 1:30 AM occurs twice on this day in New York: at 5:30 and at 6:30 UTC. */
const REPEATED_HOUR = { typed: '2029-11-04T01:30', second: '2029-11-04T06:30:00.000Z' };
const savedTimes = () =>
  testApp.db.selectFrom('distributions').select(['opensAt', 'closesAt', 'remindHours']).orderBy('id', 'desc').limit(1).execute();
const save = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Times saved')).toBeTruthy();
};

test('when a typed closing time occurs twice because clocks are set back, the user can choose the second occurrence, which is then saved (contract §11)', async () => {
  const closes = await openForm({});
  fireEvent.change(closes, { target: { value: REPEATED_HOUR.typed } });
  expect(screen.getByRole('button', { name: 'The first' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'The second' }));
  await save();
  expect(await savedTimes()).toEqual([{ opensAt: null, closesAt: REPEATED_HOUR.second, remindHours: null }]);
});

test('a save keeps the seconds of times that the user has not typed, also of a time in the hour that occurs twice when clocks are set back (contract §11)', async () => {
  const times = { opensAt: '2027-03-01T13:00:20.000Z', closesAt: '2029-11-04T06:30:45.000Z' };
  await openForm(times);
  expect(screen.getByRole('button', { name: 'The second' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.change(screen.getByLabelText('Reminder, hours before closing'), { target: { value: '24' } });
  await save();
  expect(await savedTimes()).toEqual([{ ...times, remindHours: 24 }]);
});

test('after ordering was closed, the card shows no time at which ordering closes (contract §11)', async () => {
  await openCard({ closesAt: '2099-04-17T00:00:00.000Z', opensAt: '2027-03-01T13:00:00.000Z', orderingOpen: false });
  expect(screen.getByText('Ordering opens')).toBeTruthy();
  expect(screen.queryByText('Ordering closes')).toBeNull();
  cleanup();
  await openCard({ closesAt: '2099-04-17T00:00:00.000Z', orderingOpen: false });
  expect(screen.getByText('Ordering is closed.')).toBeTruthy();
});

const ALL = { opensAt: null, closesAt: '2099-04-10T00:00:00.000Z', remindHours: null };
const MOVED = '2099-04-12T00:00:00.000Z';
const openTimes = async (): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: /times$/ }));
  await screen.findByLabelText('Ordering closes');
};

test('the form of the ordering times saves only what the user changed, so that a closing time that another window has saved stays, also when the page has read it meanwhile (contract §11)', async () => {
  const { change, refresh } = await openCard(ALL);
  await openTimes();
  await change({ closesAt: MOVED });
  await refresh();
  await waitFor(() => expect(screen.getByText('Sat, Apr 11, 8:00 PM')).toBeTruthy());
  fireEvent.change(screen.getByLabelText('Reminder, hours before closing'), { target: { value: '24' } });
  await save();
  expect(await savedTimes()).toEqual([{ ...ALL, closesAt: MOVED, remindHours: 24 }]);
});

test('the form of the ordering times does not replace a closing time that another window has saved meanwhile; it shows that time before the next save replaces it (contract §11)', async () => {
  const { change } = await openCard(ALL);
  await openTimes();
  await change({ closesAt: MOVED });
  fireEvent.change(screen.getByLabelText('Ordering closes'), { target: { value: '2099-04-13T20:00' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: Sat, Apr 11, 8:00 PM. Saving replaces it with yours.')).toBeTruthy();
  expect(await savedTimes()).toEqual([{ ...ALL, closesAt: MOVED }]);
  await readOthersChange();
  await save();
  expect(await savedTimes()).toEqual([{ ...ALL, closesAt: '2099-04-14T00:00:00.000Z' }]);
});

test('the form of the ordering times does not replace a time zone that another window has set meanwhile, and asks to check the times (contract §11)', async () => {
  const { distributor } = await openCard({}, null);
  await openTimes();
  const zone = screen.getByLabelText<HTMLSelectElement>('Time zone');
  fireEvent.change(zone, { target: { value: 'Europe/Berlin' } });
  fireEvent.change(screen.getByLabelText('Ordering closes'), { target: { value: '2099-04-13T20:00' } });
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const note = 'Somebody else has set the time zone to America/New York. The times are now in it: check them.';
  expect(await screen.findByText(note)).toBeTruthy();
  expect(zone.value).toBe('America/New_York');
  expect((await findOrganization(testApp.db, distributor.id)).timeZone).toBe('America/New_York');
  await readOthersChange();
  await save();
  expect(await savedTimes()).toEqual([{ opensAt: null, closesAt: '2099-04-14T00:00:00.000Z', remindHours: null }]);
});
