import { beforeEach, describe, expect, test } from 'vitest';
import { mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readContact, saveContact } from '../contact/contract.ts';
import { createUsers, listUsers, MAX_ECHO_LENGTH } from './contract.ts';

const testApp = setupTestApp();
const HAS_ACCOUNT = 'This e-mail address already has an account.';

let distributor: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
});

let made = 0;
const fresh = () => `fresh${(made += 1)}@test.example`;
const createAs = (by: Person | null, payload: object, { role = 'customer', key = '' } = {}) =>
  testApp.request(by, { method: 'POST', url: `/api/users/${role}`, payload, headers: key ? { 'idempotency-key': key } : {} });
const create = (users: unknown[], more: object = {}) => createAs(distributor, { users, replyTo: distributor.email, ...more });
const usersOf = (by: Person) =>
  testApp.db.selectFrom('users').select(['id', 'email', 'role']).where('distributorId', '=', by.id).orderBy('id').execute();
const mailsOf = (by: Person) => testApp.db.selectFrom('emails').selectAll().where('distributorId', '=', by.id).orderBy('id').execute();

describe('creating customers and agents', () => {
  test('creates customers of the distributor, returns the results in the sequence of the request, and invites the customers (spec §3, §7; contract §3)', async () => {
    const call = await testApp.as(distributor);
    const [one, two] = [fresh(), fresh()];
    const users = [{ email: ` ${two.toUpperCase()} ` }, { email: one, firstName: ' Rivka ', zip: '07666' }];
    const results = await call(createUsers, { params: { role: 'customer' }, body: { users, replyTo: distributor.email.toUpperCase() } });
    const [second, first] = results;
    expect(results).toEqual([
      { success: true, userId: second?.userId, email: two },
      { success: true, userId: first?.userId, email: one, firstName: 'Rivka', zip: '07666' },
    ]);
    expect(await usersOf(distributor)).toEqual(
      expect.arrayContaining([
        { id: first?.userId, email: one, role: 'customer' },
        { id: second?.userId, email: two, role: 'customer' },
      ]),
    );
    const mails = await mailsOf(distributor);
    expect(mails.map((mail) => mail.userId)).toEqual(expect.arrayContaining([first?.userId, second?.userId]));
    for (const mail of mails) {
      const queued = { kind: 'invitation', status: 'queued', replyTo: distributor.email, html: '', subject: '', success: false };
      expect(mail).toMatchObject({ ...queued, createdAt: '2027-04-01T12:00:00.000Z' });
    }
  });

  test('creates agents, who are listed separately from customers (spec §7)', async () => {
    const email = fresh();
    const answer = await createAs(distributor, { users: [{ email }], replyTo: distributor.email }, { role: 'agent' });
    expect([answer.statusCode, answer.json()]).toEqual([201, [{ success: true, userId: answer.json()[0].userId, email }]]);
    expect(await usersOf(distributor)).toEqual([{ id: answer.json()[0].userId, email, role: 'agent' }]);
  });

  test("sends no mail when the request contains invite 'later' (contract §3)", async () => {
    expect((await create([{ email: fresh() }], { invite: 'later' })).statusCode).toBe(201);
    expect(await mailsOf(distributor)).toEqual([]);
    expect((await create([{ email: fresh() }], { invite: 'never' })).statusCode).toBe(400);
    expect((await create([])).json()).toEqual([]);
  });

  test('is allowed for distributors only', async () => {
    const customer = await makeCustomer(testApp.db, distributor);
    for (const by of [await makeAdmin(testApp.db), await makeAgent(testApp.db, distributor), customer]) {
      const answer = await createAs(by, { users: [{ email: fresh() }], replyTo: by.email });
      expect([answer.statusCode, answer.body]).toEqual([403, 'Your role may not do this.']);
    }
    const nobody = await createAs(null, { users: [], replyTo: 'a@test.example' });
    expect([nobody.statusCode, nobody.body]).toEqual([401, 'Please sign in.']);
  });

  test('accepts 5,000 people with contacts in one call (contract §3)', { tags: ['long'] }, async () => {
    const text = 'Grüße, 1 Elm Street';
    const contact = { lastName: text, address: text, city: text, state: text, zip: text, phone: text };
    const users = Array.from({ length: 5000 }, (_, index) => ({
      email: `crowd${5000 - index}@test.example`,
      firstName: `Person ${index}`,
      ...contact,
    }));
    const began = performance.now();
    const answer = await create(users);
    const ms = performance.now() - began;
    process.stdout.write(`5,000 people created in ${Math.round(ms)} ms\n`);
    expect(answer.statusCode).toBe(201);
    const results = answer.json();
    expect(results.map(({ success, userId, ...sent }: { success: boolean; userId: number }) => [success, userId > 0, sent])).toEqual(
      users.map((user) => [true, true, user]),
    );
    expect(new Set((await mailsOf(distributor)).map((mail) => mail.userId))).toEqual(
      new Set(results.map((result: { userId: number }) => result.userId)),
    );
    const { contacts } = await testApp.db
      .selectFrom('contacts')
      .innerJoin('users', 'users.id', 'contacts.userId')
      .select((select) => select.fn.countAll<number>().as('contacts'))
      .where('distributorId', '=', distributor.id)
      .executeTakeFirstOrThrow();
    expect(contacts).toBe(5000);
  });

  test('refuses more than 5,000 people or a body of more than 4 MB (contract §2, §3)', async () => {
    const users = Array.from({ length: 5001 }, (_, index) => ({ email: `many${index}@test.example` }));
    const many = await create(users);
    expect([many.statusCode, many.body]).toEqual([400, 'At most 5000 users can be created at once']);
    const large = await create([{ email: fresh(), firstName: 'x'.repeat(4 * 1_048_576) }]);
    expect([large.statusCode, large.body]).toEqual([413, 'The request is too large.']);
    expect(await usersOf(distributor)).toEqual([]);
  });

  test("uses only the distributor's own e-mail address for replies (spec §7; contract §3)", async () => {
    for (const replyTo of [(await makeDistributor(testApp.db)).email, `${distributor.email}.evil.example`]) {
      const answer = await create([{ email: fresh() }], { replyTo });
      expect([answer.statusCode, answer.body]).toEqual([400, 'Replies can go to your own address only.']);
    }
    for (const replyTo of [undefined, null, '', 'x', `${distributor.email}\r\nBcc: all@test.example`]) {
      expect((await create([{ email: fresh() }], { replyTo })).statusCode).toBe(400);
    }
    expect(await usersOf(distributor)).toEqual([]);
  });
});

describe('a row that cannot be created', () => {
  test('because any distributor uses its e-mail address gets the same message without an id, and does not affect other rows (contract §2, §3)', async () => {
    const other = await makeDistributor(testApp.db);
    const taken = [
      await makeCustomer(testApp.db, distributor),
      await makeAgent(testApp.db, distributor),
      await makeCustomer(testApp.db, other),
      await makeAdmin(testApp.db),
      other,
      distributor,
    ].map((person) => person.email);
    const email = fresh();
    const results = (await create([...taken.map((address) => ({ email: address })), { email }])).json();
    expect(results.slice(0, -1)).toEqual(taken.map((address) => ({ success: false, error: HAS_ACCOUNT, email: address })));
    expect(results.at(-1)).toMatchObject({ success: true, email });
    expect((await mailsOf(distributor)).map((mail) => mail.userId)).toEqual([results.at(-1).userId]);
  });

  test('because an earlier row has the same e-mail address is reported; the person of the earlier row is created', async () => {
    const email = fresh();
    const results = (
      await create([
        { email, firstName: 'First' },
        { email: email.toUpperCase(), firstName: 'Second' },
      ])
    ).json();
    expect(results).toEqual([
      { success: true, userId: results[0].userId, email, firstName: 'First' },
      { success: false, error: 'This e-mail address is in the list twice.', email: email.toUpperCase(), firstName: 'Second' },
    ]);
    expect(await usersOf(distributor)).toHaveLength(1);
  });

  test.each([
    [{ email: '' }, 'A customer without an e-mail address needs a name.'],
    [{}, 'A customer without an e-mail address needs a name.'],
    [{ email: 'rivka' }, 'Invalid email address'],
    [{ email: 'rivka@localhost' }, 'Invalid email address'],
    [{ email: 'a@test.example, b@test.example' }, 'Invalid email address'],
    [{ email: 'a@test.example\r\nBcc: b@test.example' }, 'Invalid email address'],
    [{ email: '"><script>@test.example' }, 'Invalid email address'],
    [{ email: 'a\u0000b@test.example' }, 'Invalid email address'],
    [{ email: 'rivká@test.example' }, 'Invalid email address'],
    [{ email: `${'x'.repeat(250)}@test.example` }, 'Invalid email address'],
    [{ email: 'row1@test.example', firstName: 'x'.repeat(201) }, 'First name is longer than 200 characters'],
    [{ email: 'row2@test.example', zip: '0766\u00006' }, 'ZIP code contains characters that cannot be stored'],
    [{ email: 'row3@test.example', phone: '\ud800' }, 'Phone number contains characters that cannot be stored'],
  ])('with the values %j gets the message: %s (spec §5)', async (row, error) => {
    const email = fresh();
    const answer = await create([row, { email }]);
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      [
        { success: false, error, ...row },
        { success: true, userId: answer.json()[1].userId, email },
      ],
    ]);
    expect((await usersOf(distributor)).map((user) => user.email)).toEqual([email]);
  });

  test('that has very long texts gets them back shortened, so that the stored reply is short (reliability abuse)', async () => {
    const row = { email: 'a@b.example', firstName: 'x'.repeat(1_900_000), phone: null };
    const answer = await createAs(distributor, { users: [row, row], replyTo: distributor.email }, { key: 'long' });
    const result = { success: false, error: 'First name is longer than 200 characters', ...row, firstName: 'x'.repeat(MAX_ECHO_LENGTH) };
    expect([answer.statusCode, answer.json()]).toEqual([201, [result, result]]);
    const { reply } = await testApp.db.selectFrom('idempotency_keys').select('reply').executeTakeFirstOrThrow();
    expect(reply).toBe(answer.body);
  });

  test('makes the whole request malformed when it is not an object, and nobody is created', async () => {
    for (const row of [null, 7, 'a@test.example', [], { email: ['a@test.example'] }, { email: fresh(), zip: 7666 }]) {
      expect((await create([{ email: fresh() }, row])).statusCode).toBe(400);
    }
    expect(await usersOf(distributor)).toEqual([]);
  });
});

test('the call that creates users ignores unknown fields of any type and depth', async () => {
  const email = fresh();
  const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
  const junk = `"success":"yes","userId":"1","error":{"a":1},"role":"admin","distributorId":1,"password":"x","deep":${deep}`;
  for (const row of [`"email":"${email}",${junk}`, `"email":"no address",${junk}`]) {
    const answer = await testApp.request(distributor, {
      method: 'POST',
      url: '/api/users/customer',
      headers: { 'content-type': 'application/json', 'idempotency-key': `deep-${row.length}` },
      payload: `{"users":[{${row}}],"replyTo":"${distributor.email}","deep":${deep}}`,
    });
    expect(answer.statusCode).toBe(201);
    expect(Object.keys(answer.json()[0]).toSorted((a, b) => a.localeCompare(b))).toEqual(
      answer.json()[0].success ? ['email', 'success', 'userId'] : ['email', 'error', 'success'],
    );
  }
  expect(await usersOf(distributor)).toMatchObject([{ email, role: 'customer' }]);
});

test('an incomplete contact is stored, and does not count as a contact until it is complete (contract §3)', async () => {
  const all = {
    firstName: 'Rivka',
    lastName: 'Abramov',
    address: '1 Elm St',
    city: 'Teaneck',
    state: 'NJ',
    zip: '07666',
    phone: '555-0100',
  };
  const rows = [
    { email: fresh(), ...all },
    { email: fresh(), ...all, phone: '  ' },
    { email: fresh(), firstName: 'Noa', lastName: null, city: '' },
    { email: fresh() },
  ];
  const results: { userId: number; email: string }[] = (await create(rows)).json();
  const contacts = [];
  for (const { userId, email } of results) {
    const call = await testApp.as({ id: userId, email, role: 'customer' });
    contacts.push(await call(readContact));
  }
  expect(contacts).toEqual([{ ...all, id: contacts[0]?.id, userId: results[0]?.userId }, null, null, null]);
  const names = await (await testApp.as(distributor))(listUsers, { params: { role: 'customer' } });
  expect(names.map(({ firstName, lastName }) => [firstName, lastName])).toEqual([
    ['Noa', null],
    ['Rivka', 'Abramov'],
    ['Rivka', 'Abramov'],
    [null, null],
  ]);
  const call = await testApp.as({ id: results[2]?.userId ?? 0, email: '', role: 'customer' });
  expect(await call(saveContact, { body: all })).toMatchObject(all);
});

describe('sending one list of people twice', () => {
  test('under one idempotency key creates the people once; the second request gets the same reply (contract §2)', async () => {
    const payload = { users: [{ email: fresh() }, { email: fresh() }], replyTo: distributor.email };
    const key = `list-${made}`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => createAs(distributor, payload, { key })));
    expect(answers.map((answer) => [answer.statusCode, answer.body])).toEqual(answers.map(() => [201, answers[0]?.body]));
    expect(await usersOf(distributor)).toHaveLength(2);
    expect(await mailsOf(distributor)).toHaveLength(2);
    const other = await createAs(distributor, { ...payload, users: [] }, { key });
    expect([other.statusCode, other.body]).toEqual([409, 'This Idempotency-Key was used for another request.']);
  });

  test('at once from two distributors creates each e-mail address for one of them only', { tags: ['long'] }, async () => {
    const other = await makeDistributor(testApp.db);
    for (let round = 0; round < 5; round++) {
      const users = Array.from({ length: 100 }, () => ({ email: fresh() }));
      const [mine, theirs] = await Promise.all([
        createAs(distributor, { users, replyTo: distributor.email }),
        createAs(other, { users: users.toReversed(), replyTo: other.email }),
      ]);
      expect([mine.statusCode, theirs.statusCode]).toEqual([201, 201]);
      const results = [...mine.json(), ...theirs.json()];
      const created = results.filter((result) => result.success).map((result) => result.email);
      expect(created).toHaveLength(100);
      expect(new Set(created)).toEqual(new Set(users.map((user) => user.email)));
      for (const { success, error } of results) if (!success) expect(error).toBe(HAS_ACCOUNT);
    }
    for (const { id } of await usersOf(distributor)) expect(await mailsTo(testApp, id)).toEqual(['invitation']);
  });
});
