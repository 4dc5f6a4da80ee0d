import { beforeEach, expect, test } from 'vitest';
import { mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { createDistributor, listDistributors } from './contract.ts';

const world = setupTestApp();
const HAS_ACCOUNT = 'This e-mail address already has an account.';

let admin: Person;
beforeEach(async () => {
  admin = await makeAdmin(world.db);
});

let made = 0;
const fresh = () => `supplier${(made += 1)}@test.example`;
const create = (email: unknown, by: Person | null = admin) =>
  world.request(by, { method: 'POST', url: '/api/distributors', payload: { email } });

test('every distributor is listed by e-mail, with the id and nothing else (spec §7)', async () => {
  const [second, first] = [await makeDistributor(world.db), await makeDistributor(world.db)];
  await world.db.updateTable('users').set({ email: 'aaa@test.example' }).where('id', '=', first.id).execute();
  await world.db.updateTable('users').set({ email: 'zzz@test.example' }).where('id', '=', second.id).execute();
  await makeAgent(world.db, first);
  const list = await (await world.as(admin))(listDistributors);
  expect(list).toEqual([
    { id: first.id, email: 'aaa@test.example' },
    { id: second.id, email: 'zzz@test.example' },
  ]);
});

test('a new one is answered, listed, and invited to choose a password (spec §1, §7; contract §3)', async () => {
  const email = fresh();
  const call = await world.as(admin);
  const distributor = await call(createDistributor, { body: { email: ` ${email.toUpperCase()} ` } });
  expect(distributor).toEqual({ id: distributor.id, email });
  expect(await call(listDistributors)).toContainEqual(distributor);
  expect(await world.db.selectFrom('emails').selectAll().where('userId', '=', distributor.id).execute()).toMatchObject([
    { kind: 'invitation', status: 'queued', replyTo: admin.email, distributorId: null, html: '', createdAt: '2027-04-01T12:00:00.000Z' },
  ]);
  const payload = { token: await mailedToken(world, email), password: 'Three-Sheep-42' };
  expect((await world.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload })).statusCode).toBe(200);
  const signedIn = await world.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'Three-Sheep-42' } });
  expect(signedIn.json()).toEqual({ id: distributor.id, email, role: 'distributor', distributorId: null });
});

test('an address that somebody has is refused, whoever has it, and nobody is mailed', async () => {
  const distributor = await makeDistributor(world.db);
  const agent = await makeAgent(world.db, distributor);
  const customer = await makeCustomer(world.db, distributor);
  for (const person of [distributor, agent, customer, admin]) {
    const answer = await create(person.email.toUpperCase());
    expect([answer.statusCode, answer.body]).toEqual([409, HAS_ACCOUNT]);
    expect(await mailsTo(world, person.id)).toEqual([]);
  }
  expect(await world.db.selectFrom('users').select('role').where('id', '=', customer.id).executeTakeFirst()).toEqual({ role: 'customer' });
});

test('the same address ten times at once is one distributor with one invitation', async () => {
  const email = fresh();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(email)));
  const refused = answers.filter((answer) => answer.statusCode !== 201);
  expect(refused.map((answer) => [answer.statusCode, answer.body])).toEqual(Array.from({ length: 9 }, () => [409, HAS_ACCOUNT]));
  const created = answers.find((answer) => answer.statusCode === 201)?.json();
  expect(await mailsTo(world, created.id)).toEqual(['invitation']);
});

test('what is no e-mail address is refused (spec §5)', async () => {
  for (const email of ['', 'supplier', 'a@b', 'a@test.example, b@test.example', `${'x'.repeat(250)}@test.example`]) {
    const answer = await create(email);
    expect([answer.statusCode, answer.body]).toEqual([400, 'Invalid email address']);
  }
  for (const email of [undefined, null, 7, ['a@test.example']]) expect((await create(email)).statusCode).toBe(400);
});

test('nobody but an admin lists or creates them (spec §6)', async () => {
  const distributor = await makeDistributor(world.db);
  const customer = await makeCustomer(world.db, distributor);
  for (const by of [null, distributor, customer, await makeAgent(world.db, distributor)]) {
    const expected = by ? [403, 'Your role may not do this.'] : [401, 'Please sign in.'];
    for (const answer of [await world.request(by, { method: 'GET', url: '/api/distributors' }), await create(fresh(), by)]) {
      expect([answer.statusCode, answer.body]).toEqual(expected);
    }
  }
});
