import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistributor } from '../../../../test/data/factories.ts';
import { mailsTo } from '../../../../test/mail/mailed-links.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { changeUser, listUsers } from '../contract.ts';
import { UsersTab } from './users-tab.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

test('staff do not replace an e-mail address that somebody else has corrected meanwhile; the dialog shows it before the next save replaces it (contract §3)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const address = async () => (await call(listUsers, { params: { role: 'customer' } }))[0]?.email;
  navigate('/distributor');
  showScreen(call, '/distributor', () => <UsersTab people="customer" />);
  fireEvent.keyDown(await screen.findByLabelText(`More actions for ${customer.email}`), { key: 'Enter' });
  fireEvent.click(await screen.findByText('Correct address'));
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'mine@home.example' } });
  await call(changeUser, { params: { role: 'customer', userId: customer.id }, body: { email: 'theirs@home.example' } });
  fireEvent.click(screen.getByText('Save and invite'));
  expect(
    await screen.findByText(
      'The e-mail address was changed by somebody else meanwhile. Nothing is saved. Saved meanwhile: theirs@home.example. Saving replaces it with yours.',
    ),
  ).toBeTruthy();
  expect([await address(), (await mailsTo(testApp, customer.id)).length]).toEqual(['theirs@home.example', 1]);
  fireEvent.click(screen.getByText('Save and invite'));
  await readOthersChange();
  expect(await address()).toBe('theirs@home.example');
  // The address that the dialog showed first is now another than the saved one.
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: customer.email } });
  fireEvent.click(screen.getByText('Save and invite'));
  await waitFor(async () => expect(await address()).toBe(customer.email));
});
