import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistributor } from '../../../../test/data/factories.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { changeUser, readUserContact } from '../contract.ts';
import { EditContact } from './edit-contact.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

test('staff do not replace a phone number that somebody else has saved meanwhile; the dialog shows it before the next save replaces it (contract §3)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id: userId } = await makeCustomer(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const params = { role: 'customer', userId } as const;
  const now = () => call(readUserContact, { params });
  navigate('/distributor');
  showScreen(call, '/distributor', () => <EditContact people="customer" userId={userId} onClose={() => undefined} />);
  fireEvent.change(await screen.findByLabelText('Phone number'), { target: { value: '555-0101' } });
  fireEvent.change(screen.getByLabelText('City'), { target: { value: 'Bergenfield' } });
  await call(changeUser, { params, body: { phone: '555-0202', zip: '07621' } });
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }));
  expect(await screen.findByText(/The contact was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: 555-0202. Saving replaces it with yours.')).toBeTruthy();
  expect((await now()).phone).toBe('555-0202');
  await readOthersChange();
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(async () => expect(await now()).toMatchObject({ phone: '555-0101', city: 'Bergenfield', zip: '07621' }));
});
