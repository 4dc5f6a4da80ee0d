import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor } from '../../../../test/data/factories.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import type { Call } from '../../../client/api/fetch.ts';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { changeDistribution, readDistribution } from '../contract.ts';
import { DistributionPage } from '../distribution-page.tsx';
import { DistributionInfo } from './distribution-info.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

/** Opens the Info tab. Its saves wait for `reply` before they are sent. */
async function openTab(reply: Promise<void> = Promise.resolve()) {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor, { name: 'Passover', date: '2099-04-15' });
  const call = await testApp.as(distributor);
  const slow: Call = async (endpoint, ...args) => {
    if ((endpoint as Endpoint) === changeDistribution) await reply;
    return await call(endpoint, ...args);
  };
  navigate(`/distributor/distribution/${id}`);
  showScreen(slow, '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <DistributionInfo distribution={read} />}</DistributionPage>
  ));
  await screen.findByLabelText('Date');
  return { call, params: { id } };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string): void => void fireEvent.change(field(label), { target: { value } });
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }));

test('the Info tab does not replace a date that another window has saved meanwhile; it shows that date before the next save replaces it (spec §7)', async () => {
  const { call, params } = await openTab();
  await call(changeDistribution, { params, body: { date: '2099-07-07' } });
  type('Date', '2099-08-08');
  save();
  expect(await screen.findByText(/Passover was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: Tue, Jul 7, 2099. Saving replaces it with yours.')).toBeTruthy();
  expect((await call(readDistribution, { params })).date).toBe('2099-07-07');
  await readOthersChange();
  save();
  await waitFor(async () => expect((await call(readDistribution, { params })).date).toBe('2099-08-08'));
  expect(screen.queryByText(/Saved meanwhile/)).toBeNull();
  type('Date', '2099-09-09');
  save();
  await waitFor(async () => expect((await call(readDistribution, { params })).date).toBe('2099-09-09'));
});

test('a date that is typed while the name is being saved stays and can be saved (spec §2)', async () => {
  let answer = (): void => undefined;
  const { call, params } = await openTab(new Promise((resolve) => (answer = resolve)));
  type('Name', 'Shavuot');
  save();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBe('true'));
  type('Date', '2099-06-06');
  answer();
  await waitFor(async () => expect((await call(readDistribution, { params })).name).toBe('Shavuot'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).not.toBe('true'));
  expect([field('Name').value, field('Date').value]).toEqual(['Shavuot', '2099-06-06']);
  save();
  await waitFor(async () => expect((await call(readDistribution, { params })).date).toBe('2099-06-06'));
});
