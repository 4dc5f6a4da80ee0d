import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistributor } from '../../../test/data/factories.ts';
import { freshDevice, pressOnBusyPage, readNothing, readOthersChange, showScreen } from '../../../test/screen.tsx';
import { setupTestApp } from '../../../test/test-app.ts';
import { readOrganization, type Organization } from './contract.ts';
import { OrganizationButton } from './organization-dialog.tsx';
import { saveOrganizationOf } from './queries.ts';

const testApp = setupTestApp();
const BETH_EL = { name: 'Beth El', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '555-0100' };

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

/** Opens the dialog. The returned `change` saves fields as another window does. */
async function openDialog() {
  const distributor = await makeDistributor(testApp.db);
  await saveOrganizationOf(testApp.db, distributor.id, BETH_EL);
  const call = await testApp.as(distributor);
  showScreen(call, '/distributor', () => <OrganizationButton open onOpenChange={() => undefined} />);
  await screen.findByLabelText('Name');
  const now = () => call(readOrganization);
  const change = (fields: Partial<Organization>) => saveOrganizationOf(testApp.db, distributor.id, fields);
  return { now, change };
}

function save(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
}

test('the organization dialog saves only the changed fields, so that an address that another window has saved meanwhile stays (contract §3)', async () => {
  const { now, change } = await openDialog();
  await change({ address: '77 New St' });
  save('Phone Number', '555-0199');
  expect(await screen.findByText('Organization saved')).toBeTruthy();
  expect(await now()).toEqual({ ...BETH_EL, address: '77 New St', phone: '555-0199', timeZone: null });
});

test('the organization dialog does not replace an address that another window has saved meanwhile; it shows that address before the next save replaces it (contract §3)', async () => {
  const { now, change } = await openDialog();
  await change({ address: '77 New St', phone: '555-0199' });
  save('Address', '2 Elm St');
  expect(await screen.findByText(/The organization was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: 77 New St. Saving replaces it with yours.')).toBeTruthy();
  expect(screen.queryByText(/Saved meanwhile: 555-0199/)).toBeNull();
  expect((await now()).address).toBe('77 New St');
  await readOthersChange();
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect(await now()).toEqual({ ...BETH_EL, address: '2 Elm St', phone: '555-0199', timeZone: null }));
});

test('of two quick Enters in the organization dialog, the second one does not replace what another window has saved, because nobody can have read it (reliability abuse)', async () => {
  const { now, change } = await openDialog();
  readNothing();
  await change({ address: '77 New St' });
  save('Address', '2 Elm St');
  await screen.findByText('Saved meanwhile: 77 New St. Saving replaces it with yours.');
  expect(pressOnBusyPage(screen.getByLabelText('Address'), 'Enter')).toBe(false);
  await readOthersChange();
  expect(pressOnBusyPage(screen.getByLabelText('Address'), 'Enter')).toBe(true);
  expect((await now()).address).toBe('77 New St');
});
