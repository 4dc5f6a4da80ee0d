// These tests check that no read of the largest allowed tenant blocks the event loop (reliability, "freeze").
// @module-tag long
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../src/api.ts';
import { ROLES } from '../src/domain/accounts/roles.ts';
import { shareOut } from '../src/features/short-delivery/contract.ts';
import { pathOf, type Endpoint } from '../src/shared/endpoint.ts';
import { callOf, callersOf, makeTenant, paramsOf } from './calls.ts';
import { withSecondFactors } from './data/second-factors.ts';
import { enlarge, type LargeTenant } from './largest-bodies.ts';
import { FILLINGS } from './largest-tenant.ts';
import { longestBlock } from './longest-block.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
/** The maximum CPU time of one event loop iteration, in milliseconds. */
const LONGEST = 100;
/** A compilation or a garbage collection may disturb one attempt, but a call that blocks the event loop does so in every attempt. */
const TRIES = 3;

let tenant: LargeTenant;
beforeAll(async () => {
  tenant = await enlarge(testApp, await withSecondFactors(testApp.db, await makeTenant(testApp.db, 'Largest')));
  for (const fill of FILLINGS) await fill(testApp, tenant);
  await sql`ANALYZE`.execute(testApp.db);
}, 120_000);

async function shortestBlock(endpoint: Endpoint, payload?: object): Promise<number> {
  const role = ROLES.find((one) => callersOf(callOf(endpoint)).includes(one));
  const url = pathOf(endpoint, { ...paramsOf(endpoint.path, tenant, role), ...(payload && { productId: tenant.productIds[0] ?? 0 }) });
  let shortest = Infinity;
  for (let turn = 0; turn < TRIES && shortest >= LONGEST; turn++) {
    const { longest, result } = await longestBlock(() =>
      testApp.request(role ? tenant.people[role] : null, { method: payload ? 'POST' : 'GET', url, ...(payload && { payload }) }),
    );
    expect(result.statusCode, result.body.slice(0, 300)).toBeLessThan(400);
    shortest = Math.min(shortest, longest);
  }
  return shortest;
}

const reads = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method === 'GET');

test.each(reads.map((endpoint) => [callOf(endpoint), endpoint] as const))(
  'the call %s of the largest allowed tenant blocks the event loop for less than a tenth of a second (reliability freeze)',
  async (_call, endpoint) => {
    expect(await shortestBlock(endpoint)).toBeLessThan(LONGEST);
  },
);

test('previewing the shares of a product that 20,000 customers ordered blocks the event loop for less than a tenth of a second (reliability freeze)', async () => {
  expect(await shortestBlock(shareOut, { units: 10, rule: 'proportional', preview: true })).toBeLessThan(LONGEST);
});

test('when a short delivery is applied to 20,000 orders, the reply does not list the shares, because serializing so long a list would block the event loop (reliability freeze)', async () => {
  const { distributor } = tenant.people;
  const url = pathOf(shareOut, { ...paramsOf(shareOut.path, tenant, 'distributor'), productId: tenant.productIds[0] ?? 0 });
  const share = async (payload: object) => {
    const headers = { 'idempotency-key': JSON.stringify(payload) };
    const { body } = await testApp.request(distributor, { method: 'POST', url, payload, headers });
    return JSON.parse(body) as { ordered: number; applied: boolean; shares: unknown[] };
  };
  const { ordered, shares } = await share({ units: 10, rule: 'first', preview: true });
  expect(shares.length).toBeGreaterThan(20_000);
  expect(await share({ units: ordered - 1, rule: 'first' })).toMatchObject({ ordered, applied: true, shares: [] });
  expect((await share({ units: 10, rule: 'first', preview: true })).ordered).toBe(ordered - 1);
});
