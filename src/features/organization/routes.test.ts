import { beforeEach, describe, expect, test } from 'vitest';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readJoinLink, readOrganization, renewJoinLink, saveOrganization, stopJoinLink } from './contract.ts';

const testApp = setupTestApp({ PUBLIC_URL: 'http://orders.example.org' });
const NOTHING = { name: null, address: null, city: null, state: null, zip: null, phone: null, timeZone: null };
const SHALOM = { name: 'Shalom Foods', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '555-0100' };

let distributor: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
});

const save = (payload: object) => testApp.request(distributor, { method: 'POST', url: '/api/organization', payload });
const rowsOf = (person: Person) => testApp.db.selectFrom('organizations').selectAll().where('distributorId', '=', person.id).execute();
/** Returns whether joining through the link works, that is, whether a join request with the link is stored. */
async function opens(url: string | null): Promise<boolean> {
  const email = `joiner${Math.random()}@test.example`;
  const payload = { email, code: new URL(url ?? 'http://none').searchParams.get('join') ?? 'none' };
  await testApp.app.inject({ method: 'POST', url: '/api/register', payload });
  return (await testApp.db.selectFrom('join_requests').select('id').where('email', '=', email).execute()).length > 0;
}

describe('the time zone (contract §11)', () => {
  const patch = async (timeZone: unknown) => {
    const answer = await testApp.request(distributor, { method: 'PATCH', url: '/api/organization', payload: { timeZone } });
    return [answer.statusCode, answer.statusCode === 200 ? (answer.json() as { timeZone: unknown }).timeZone : answer.body];
  };

  test('is saved with the organization or alone, and stays unchanged when a request does not contain it', async () => {
    const call = await testApp.as(distributor);
    expect(await patch('America/New_York')).toEqual([200, 'America/New_York']);
    expect((await save(SHALOM)).json()).toEqual({ ...SHALOM, timeZone: 'America/New_York' });
    expect((await save({ ...SHALOM, timeZone: 'Asia/Jerusalem' })).json()).toEqual({ ...SHALOM, timeZone: 'Asia/Jerusalem' });
    expect(await call(readOrganization)).toEqual({ ...SHALOM, timeZone: 'Asia/Jerusalem' });
    expect(await patch(null)).toEqual([200, null]);
  });

  test('is not replaced by a request that expects another time zone, such as none (contract §11)', async () => {
    await patch('America/New_York');
    const payload = { timeZone: 'Europe/Berlin', before: { timeZone: null } };
    const answer = await testApp.request(distributor, { method: 'PATCH', url: '/api/organization', payload });
    expect([answer.statusCode, answer.body]).toEqual([409, 'The organization was changed by somebody else meanwhile. Nothing is saved.']);
    expect(await patch('America/New_York')).toEqual([200, 'America/New_York']);
  });

  test.each(['Mars/Olympus', '+05:00', '', 'x'.repeat(101), 7])('is refused with the name %s, which no runtime knows', async (timeZone) => {
    expect(await patch(timeZone)).toEqual([400, 'timeZone must be the name of a time zone, such as America/New_York']);
  });
});

describe("the organization's name and postal address", () => {
  test('are saved with status 201 the first time and 200 later, also when a join link existed before (contract §2)', async () => {
    await (
      await testApp.as(distributor)
    )(renewJoinLink);
    expect([(await save(SHALOM)).statusCode, (await save(SHALOM)).statusCode]).toEqual([201, 200]);
  });

  test('are null until they are saved, and read back as saved (contract §2, §3)', async () => {
    const call = await testApp.as(distributor);
    expect(await call(readOrganization)).toEqual(NOTHING);
    expect(await call(saveOrganization, { body: { ...SHALOM, name: '  Shalom Foods ' } })).toEqual({ ...SHALOM, timeZone: null });
    expect(await call(saveOrganization, { body: { ...SHALOM, phone: '', city: null } })).toEqual({
      ...SHALOM,
      timeZone: null,
      phone: null,
      city: null,
    });
    expect(await call(readOrganization)).toEqual({ ...SHALOM, timeZone: null, phone: null, city: null });
    expect(await rowsOf(distributor)).toHaveLength(1);
  });

  test('keep the saved values of the fields that a request does not name as changed, as others have saved them since (contract §3)', async () => {
    await save(SHALOM);
    expect((await save({ ...SHALOM, phone: '555-0199', changed: ['phone'], before: { phone: '555-0100' } })).statusCode).toBe(200);
    const answer = await save({ ...SHALOM, address: '2 Elm St', changed: ['address'] });
    expect(answer.json()).toEqual({ ...SHALOM, address: '2 Elm St', phone: '555-0199', timeZone: null });
  });

  test('are refused with 409 when a changed field has another value than the previous one in the request, and than the new one (contract §2)', async () => {
    await save(SHALOM);
    const changeZip = async (zip: string, previous: string) => {
      const answer = await save({ ...SHALOM, zip, changed: ['zip'], before: { zip: previous } });
      return [answer.statusCode, answer.statusCode === 409 ? answer.body : (answer.json() as { zip: string }).zip];
    };
    expect(await changeZip('07667', '07600')).toEqual([409, 'The organization was changed by somebody else meanwhile. Nothing is saved.']);
    expect(await changeZip('07667', '07666')).toEqual([200, '07667']);
    expect(await changeZip('07667', '07600')).toEqual([200, '07667']);
  });

  test('are separate for each distributor', async () => {
    const other = await makeDistributor(testApp.db);
    await save({ ...SHALOM, distributorId: other.id, joinCode: 'chosen' });
    expect(await (await testApp.as(other))(readOrganization)).toEqual(NOTHING);
    expect(await rowsOf(other)).toEqual([]);
    expect(await rowsOf(distributor)).toEqual([{ ...SHALOM, distributorId: distributor.id, joinCode: null, timeZone: null }]);
  });

  test('can be saved without a change of the join link', async () => {
    const call = await testApp.as(distributor);
    const { url } = await call(renewJoinLink);
    expect(await call(readOrganization)).toEqual(NOTHING);
    await call(saveOrganization, { body: SHALOM });
    expect(await call(readJoinLink)).toEqual({ url });
    await call(renewJoinLink);
    expect(await call(readOrganization)).toEqual({ ...SHALOM, timeZone: null });
  });

  test.each([undefined, null, 7, '', '  '])('are refused with a message when the name is %j', async (name) => {
    const answer = await save({ ...SHALOM, name });
    expect([answer.statusCode, answer.body]).toEqual([400, 'Organization name is required']);
    expect(await rowsOf(distributor)).toEqual([]);
  });

  test('are refused when the name is too long or contains control characters', async () => {
    const long = await save({ ...SHALOM, name: 'x'.repeat(201) });
    expect([long.statusCode, long.body]).toEqual([400, 'Organization name is longer than 200 characters']);
    const odd = await save({ ...SHALOM, name: 'a\u0000b' });
    expect([odd.statusCode, odd.body]).toEqual([400, 'Organization name contains characters that cannot be stored']);
  });

  test.each([
    ['address', 'Address'],
    ['city', 'City'],
    ['state', 'State'],
    ['zip', 'ZIP code'],
    ['phone', 'Phone number'],
  ])('are refused when the field %s is too long or contains control characters', async (field, name) => {
    const long = await save({ ...SHALOM, [field]: 'x'.repeat(201) });
    expect([long.statusCode, long.body]).toEqual([400, `${name} is longer than 200 characters`]);
    const odd = await save({ ...SHALOM, [field]: 'a\u0000b' });
    expect([odd.statusCode, odd.body]).toEqual([400, `${name} contains characters that cannot be stored`]);
    for (const value of [undefined, 7, {}]) {
      const answer = await save({ ...SHALOM, [field]: value });
      expect([answer.statusCode, answer.body]).toEqual([400, `${name} must be a text`]);
    }
    expect(await rowsOf(distributor)).toEqual([]);
  });
});

describe('the join link', () => {
  test('is created at the configured URL', async () => {
    const call = await testApp.as(distributor);
    expect(await call(readJoinLink)).toEqual({ url: null });
    const { url } = await call(renewJoinLink);
    expect(url).toMatch(/^http:\/\/orders\.example\.org\/auth\?join=[\w-]{12}$/);
    expect(await call(readJoinLink)).toEqual({ url });
    expect(await opens(url)).toBe(true);
  });

  test('is replaced when renewed, and the previous one stops working (contract §3)', async () => {
    const call = await testApp.as(distributor);
    const { url: first } = await call(renewJoinLink);
    const { url: second } = await call(renewJoinLink);
    expect(second).not.toBe(first);
    expect([await opens(first), await opens(second)]).toEqual([false, true]);
  });

  test('lets nobody join while it is off, until a new one is created (contract §3)', async () => {
    const call = await testApp.as(distributor);
    const { url } = await call(renewJoinLink);
    expect(await call(stopJoinLink)).toBeUndefined();
    expect(await call(readJoinLink)).toEqual({ url: null });
    await call(stopJoinLink);
    expect(await opens(url)).toBe(false);
    const { url: again } = await call(renewJoinLink);
    expect([await opens(url), await opens(again)]).toEqual([false, true]);
  });

  test('leads to its own distributor; turning the link off does not affect the links of other distributors', async () => {
    const other = await makeDistributor(testApp.db);
    const [mine, theirs] = [await testApp.as(distributor), await testApp.as(other)];
    const { url } = await mine(renewJoinLink);
    await theirs(renewJoinLink);
    await theirs(stopJoinLink);
    expect(await mine(readJoinLink)).toEqual({ url });
    expect(await opens(url)).toBe(true);
    expect(await testApp.db.selectFrom('join_requests').select('id').where('distributorId', '=', other.id).execute()).toEqual([]);
  });
});

test('the organization and its join link can be read and changed only by distributors', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  for (const by of [null, customer, await makeAgent(testApp.db, distributor), await makeAdmin(testApp.db)]) {
    for (const [method, url] of [
      ['GET', '/api/organization'],
      ['POST', '/api/organization'],
      ['GET', '/api/join-link'],
      ['POST', '/api/join-link'],
      ['DELETE', '/api/join-link'],
    ] as const) {
      const answer = await testApp.request(by, { method, url, ...(method === 'POST' ? { payload: SHALOM } : {}) });
      expect([answer.statusCode, answer.body]).toEqual(by ? [403, 'Your role may not do this.'] : [401, 'Please sign in.']);
    }
  }
  expect(await rowsOf(distributor)).toEqual([]);
});
