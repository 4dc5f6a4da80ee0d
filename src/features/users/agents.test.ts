import { beforeAll, describe, expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { ONLY_AGENTS_TAKE_PAYMENTS } from './texts.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

async function said(answer: ReturnType<typeof testApp.request>): Promise<[number, string]> {
  const { statusCode, body } = await answer;
  return [statusCode, body];
}

describe('an agent who may take payments', () => {
  const allow = (person: Person, mayTakePayments: unknown, { by = distributor, role = 'agent' } = {}) =>
    testApp.request(by, { method: 'PATCH', url: `/api/users/${role}/${person.id}`, payload: { mayTakePayments } });
  const ownAccount = async (person: Person) => (await testApp.request(person, { method: 'GET', url: '/api/user' })).json<object>();

  test("is marked in the list of agents and in the agent's own account; the audit trail records each change of this permission (contract §14)", async () => {
    const agent = await makeAgent(testApp.db, distributor);
    const plain = { id: agent.id, email: agent.email, role: 'agent', distributorId: distributor.id };
    expect(await ownAccount(agent)).toEqual(plain);
    const allowed = await allow(agent, true);
    expect([allowed.statusCode, allowed.json()]).toEqual([200, expect.objectContaining({ userId: agent.id, mayTakePayments: true })]);
    expect(await ownAccount(agent)).toEqual({ ...plain, mayTakePayments: true });
    expect((await allow(agent, true)).statusCode).toBe(200);
    expect((await allow(agent, false)).json()).not.toHaveProperty('mayTakePayments');
    expect(await ownAccount(agent)).toEqual(plain);
    const acts = await testApp.db.selectFrom('user_audit').select('act').where('userId', '=', agent.id).orderBy('id').execute();
    expect(acts.map(({ act }) => act)).toEqual(['allow-payments', 'forbid-payments']);
  });

  test("gets this permission only from the agent's own distributor; customers cannot get this permission (contract §14)", async () => {
    expect(await said(allow(customer, true, { role: 'customer' }))).toEqual([400, ONLY_AGENTS_TAKE_PAYMENTS]);
    const foreign = await makeAgent(testApp.db, await makeDistributor(testApp.db));
    expect(await said(allow(foreign, true))).toEqual([404, 'User not found']);
    const agent = await makeAgent(testApp.db, distributor);
    expect(await said(allow(agent, true, { by: agent }))).toEqual([403, 'Your role may not do this.']);
    expect((await allow(agent, 'yes')).statusCode).toBe(400);
    expect(await ownAccount(distributor)).not.toHaveProperty('mayTakePayments');
  });
});
