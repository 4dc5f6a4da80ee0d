import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { freshDevice, showScreen, readOthersChange } from '../../../test/screen.tsx';
import { setupTestApp } from '../../../test/test-app.ts';
import { makeCall } from '../../client/api/fetch.ts';
import { changeUser } from '../users/contract.ts';
import { ContactPage } from './contact-page.tsx';
import { readContact, saveContact } from './contract.ts';

const testApp = setupTestApp();
const USER = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };
const CONTACT = {
  id: 3,
  userId: 7,
  firstName: 'Rivka',
  lastName: 'Abramov',
  address: '12 Elm St',
  city: 'Teaneck',
  state: 'NJ',
  zip: '07666',
  phone: '201-555-0142',
};

beforeEach(freshDevice);

async function open(contact: object | null): Promise<void> {
  navigate('/customer/contact-info');
  const fetch = (path: string): Promise<Response> => Promise.resolve(Response.json(path === '/api/user' ? USER : contact));
  showScreen(makeCall({ host: '', fetch }), '/customer/contact-info', ContactPage);
  await screen.findByText('Save Contact Information');
}

test('the contact page asks a user without a contact for one, explains why, and requires every field (spec §2, §5)', async () => {
  await open(null);
  expect(screen.getByText('Your distributor packs and prints your order under this name, and calls this number.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Cancel' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Save Contact Information' }));
  const fields = [...document.querySelectorAll('form > div:has(input)')].map(({ textContent }) => textContent);
  expect(fields).toEqual([
    'First NameFirst name is required',
    'Last NameLast name is required',
    'AddressAddress is required',
    'CityCity is required',
    'StateState is required',
    'ZIP CodeZIP code is required',
    'Phone NumberPhone number is required',
  ]);
});

test('the contact page shows an existing contact, with the phone number left to right in every language, and has a Cancel link to the dashboard (spec §2)', async () => {
  await open(CONTACT);
  expect(screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)).toEqual([
    'Rivka',
    'Abramov',
    '12 Elm St',
    'Teaneck',
    'NJ',
    '07666',
    '201-555-0142',
  ]);
  expect([...document.querySelectorAll('input')].map(({ dir }) => dir)).toEqual(['', '', '', '', '', '', 'ltr']);
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('/customer');
});

test('the contact page saves only the changed fields, so that a phone number that staff have corrected meanwhile stays (contract §3)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const call = await testApp.as(customer);
  const { id: _id, userId: _userId, ...fields } = CONTACT;
  await call(saveContact, { body: fields });
  navigate('/customer/contact-info');
  showScreen(call, '/customer/contact-info', ContactPage);
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: '2 Oak St' } });
  const params = { role: 'customer', userId: customer.id };
  await (
    await testApp.as(distributor)
  )(changeUser, { params, body: { phone: '201-555-0199' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save Contact Information' }));
  expect(await screen.findByText('Contact information saved')).toBeTruthy();
  expect(await call(readContact)).toMatchObject({ ...fields, address: '2 Oak St', phone: '201-555-0199' });
});

test('the contact page does not replace a phone number that staff have corrected meanwhile; it shows that number before the next save replaces it (contract §3)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const [call, staff] = [await testApp.as(customer), await testApp.as(distributor)];
  const { id: _id, userId: _userId, ...fields } = CONTACT;
  await call(saveContact, { body: fields });
  navigate('/customer/contact-info');
  showScreen(call, '/customer/contact-info', ContactPage);
  fireEvent.change(await screen.findByLabelText('Phone Number'), { target: { value: '201-555-0188' } });
  await staff(changeUser, { params: { role: 'customer', userId: customer.id }, body: { phone: '201-555-0199' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save Contact Information' }));
  expect(await screen.findByText(/The contact was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: 201-555-0199. Saving replaces it with yours.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save Contact Information' }));
  await readOthersChange();
  expect((await call(readContact))?.phone).toBe('201-555-0199');
  fireEvent.click(screen.getByRole('button', { name: 'Save Contact Information' }));
  expect(await screen.findByText('Contact information saved')).toBeTruthy();
  expect(await call(readContact)).toMatchObject({ ...fields, phone: '201-555-0188' });
});

test('the contact page asks before a reload loses what the customer has typed, and Cancel leaves without a question (spec §2)', async () => {
  const asksAtReload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await open(CONTACT);
  expect(asksAtReload()).toBe(false);
  fireEvent.change(screen.getByRole('textbox', { name: 'City' }), { target: { value: 'Englewood' } });
  expect(asksAtReload()).toBe(true);
  fireEvent.click(screen.getByRole('link', { name: 'Cancel' }));
  expect(location.pathname).toBe('/customer');
  expect(asksAtReload()).toBe(false);
});
