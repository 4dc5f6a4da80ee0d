import { beforeEach, describe, expect, test } from 'vitest';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readContact, saveContact } from './contract.ts';

const testApp = setupTestApp();
const RIVKA = {
  firstName: 'Rivka',
  lastName: "D'Abramov",
  address: '1 Elm St',
  city: 'Teaneck',
  state: 'NJ',
  zip: '07666',
  phone: '555-0100',
};

let customer: Person;
beforeEach(async () => {
  customer = await makeUser(testApp.db, 'customer', { distributorId: (await makeDistributor(testApp.db)).id });
});
const save = (payload: object) => testApp.request(customer, { method: 'POST', url: '/api/contact', payload });

test('the server returns null until the user has saved a contact, and then the saved contact (spec §7)', async () => {
  const call = await testApp.as(customer);
  expect(await call(readContact)).toBeNull();
  const saved = await call(saveContact, { body: RIVKA });
  expect(saved).toEqual({ ...RIVKA, id: saved.id, userId: customer.id });
  const moved = await call(saveContact, { body: { ...RIVKA, city: ' Bergenfield ' } });
  expect(moved).toEqual({ ...saved, city: 'Bergenfield' });
  expect(await call(readContact)).toEqual(moved);
});

test('the server replies 201 to the first save of a contact and 200 to later ones; an incomplete contact from an import counts as none (contract §2)', async () => {
  expect([(await save(RIVKA)).statusCode, (await save(RIVKA)).statusCode]).toEqual([201, 200]);
  await testApp.db.updateTable('contacts').set({ city: '' }).where('userId', '=', customer.id).execute();
  expect([(await save(RIVKA)).statusCode, (await save(RIVKA)).statusCode]).toEqual([201, 200]);
});

test('a save that names its changed fields keeps the other fields as staff have corrected them since, and replies with the whole contact (spec §7)', async () => {
  const stale = { ...RIVKA, address: '2 Oak St', changed: ['address'] };
  expect((await save({ ...RIVKA, changed: [] })).json()).toMatchObject(RIVKA);
  await testApp.db.updateTable('contacts').set({ phone: '555-0199' }).where('userId', '=', customer.id).execute();
  const saved = await save(stale);
  const { changed: _, ...expected } = { ...stale, phone: '555-0199' };
  expect([saved.statusCode, saved.json()]).toEqual([200, { ...expected, id: saved.json().id, userId: customer.id }]);
  expect(await (await testApp.as(customer))(readContact)).toEqual(saved.json());
  expect((await save({ ...stale, phone: '' })).body).toBe('Phone number is required');
  expect((await save({ ...stale, changed: ['userId'] })).statusCode).toBe(400);
});

test('a save that names its changed fields fills a field that staff have emptied since, and keeps what staff have corrected in the other fields (spec §5, §7)', async () => {
  expect((await save(RIVKA)).statusCode).toBe(201);
  await testApp.db.updateTable('contacts').set({ phone: '555-0199', zip: '' }).where('userId', '=', customer.id).execute();
  const saved = await save({ ...RIVKA, address: '2 Oak St', changed: ['address'] });
  expect([saved.statusCode, saved.json()]).toMatchObject([201, { ...RIVKA, address: '2 Oak St', phone: '555-0199' }]);
  expect(await (await testApp.as(customer))(readContact)).toEqual(saved.json());
});

test('a name and a phone number keep no invisible characters that would reverse the amounts beside them on the screens of staff; Hebrew and Arabic letters stay (reliability abuse)', async () => {
  const call = await testApp.as(customer);
  const controls = '\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
  const body = { ...RIVKA, firstName: `${controls}רבקה`, lastName: `\u202eحداد`, phone: '\u202a+1 555-0100\u202c' };
  expect(await call(saveContact, { body })).toMatchObject({ firstName: 'רבקה', lastName: 'حداد', phone: '+1 555-0100' });
  const escaped = JSON.stringify({ ...RIVKA, lastName: 'Becker-' }).replace('Becker-', 'Becker\\u202E');
  await testApp.request(customer, {
    method: 'POST',
    url: '/api/contact',
    payload: escaped,
    headers: { 'content-type': 'application/json' },
  });
  expect(await call(readContact)).toMatchObject({ lastName: 'Becker' });
  const invisible = await save({ ...RIVKA, lastName: controls });
  expect([invisible.statusCode, invisible.body]).toEqual([400, 'Last name is required']);
});

test('the server returns null for an incomplete contact from an import until it is completed (contract §3)', async () => {
  await testApp.db.insertInto('contacts').values({ userId: customer.id, firstName: 'Rivka', phone: '555-0100' }).execute();
  const call = await testApp.as(customer);
  expect(await call(readContact)).toBeNull();
  await call(saveContact, { body: RIVKA });
  expect(await call(readContact)).toMatchObject(RIVKA);
});

test('a customer of whom staff know a part of the contact completes it in the empty form, also if the customer types the known part differently (contract §3)', async () => {
  await save({ ...RIVKA, phone: '(555) 010-0' });
  await testApp.db.updateTable('contacts').set({ city: '' }).where('userId', '=', customer.id).execute();
  const changed = Object.keys(RIVKA);
  const before = Object.fromEntries(changed.map((field) => [field, '']));
  expect((await save({ ...RIVKA, changed, before })).statusCode).toBe(201);
  // Another empty form was opened before the contact was complete.
  expect((await save({ ...RIVKA, phone: '555-0177', changed, before })).statusCode).toBe(409);
  expect(await (await testApp.as(customer))(readContact)).toMatchObject(RIVKA);
});

test('the server saves the contact of the signed-in user, whatever user the body names (spec §6)', async () => {
  const other = await makeUser(testApp.db, 'customer', { distributorId: (await makeDistributor(testApp.db)).id });
  const answer = await save({ ...RIVKA, userId: other.id, id: 1 });
  expect(answer.json()).toMatchObject({ userId: customer.id });
  expect(await (await testApp.as(other))(readContact)).toBeNull();
});

describe('all fields are required (spec §5)', () => {
  test.each([
    ['firstName', 'First name is required'],
    ['lastName', 'Last name is required'],
    ['address', 'Address is required'],
    ['city', 'City is required'],
    ['state', 'State is required'],
    ['zip', 'ZIP code is required'],
    ['phone', 'Phone number is required'],
  ])('a contact with an empty %s is refused with the message: %s', async (field, sentence) => {
    const blank = await save({ ...RIVKA, [field]: '   ' });
    expect([blank.statusCode, blank.body]).toEqual([400, sentence]);
    for (const value of [undefined, null, 7, ['x'], 'x\u0000', '\udc00', 'x'.repeat(201)]) {
      expect((await save({ ...RIVKA, [field]: value })).statusCode).toBe(400);
    }
    expect(await (await testApp.as(customer))(readContact)).toBeNull();
  });
});
