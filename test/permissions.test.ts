// Sends every call of src/api.ts as a user of every role, with every kind of id. The list of calls comes from the contracts.
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { routes } from '../src/api.ts';
import { ROLES, type Role } from '../src/domain/accounts/roles.ts';
import type { Endpoint } from '../src/shared/endpoint.ts';
import type { JsonSchema } from './data/arbitraries.ts';
import { bodyOf, callersOf, callOf, idsIn, makeTenant, paramsOf, type Tenant } from './calls.ts';
import { withSecondFactors } from './data/second-factors.ts';
import { makeAgent } from './data/factories.ts';
import { changesBetween, rowsOfAll } from './database/database-rows.ts';
import { deliverMails } from './mail/mailed-links.ts';
import { sampleOf } from './setup/sampling.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
const endpoints = routes.map((route) => route.endpoint);
const MISSING = 2_000_000_000;

async function send(
  endpoint: Endpoint,
  by: Person | null,
  { params, body }: { params: Record<string, number | string>; body?: object | undefined },
) {
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
  return await testApp.request(by, { method: endpoint.method, url, ...(body ? { payload: body } : {}) });
}

const [MARK, OTHER_MARK] = ['Zzforeign', 'Zzthird'];
let own: Tenant;
let foreign: Tenant;
let third: Tenant;
beforeAll(async () => {
  own = await withSecondFactors(testApp.db, await makeTenant(testApp.db, 'Own'));
  foreign = await makeTenant(testApp.db, MARK);
  third = await makeTenant(testApp.db, OTHER_MARK);
});

const rolesOf = (endpoint: Endpoint): Role[] => ROLES.filter((role) => endpoint.roles.includes(role));
const withIds = endpoints.filter((endpoint) => idsIn(endpoint.path).length > 0);

test.each(endpoints.map((endpoint) => [callOf(endpoint), endpoint.roles] as const))(
  'the call %s is open to exactly the roles that the specification and the contract list (spec §6; contract §3, §7)',
  (call, roles) => {
    expect(roles.toSorted()).toEqual(callersOf(call).toSorted());
  },
);

test('each call is accepted only from the roles in its contract: 401 without a session, 403 for another role (spec §6; contract §2, §3)', async () => {
  let checks = 0;
  for (const endpoint of endpoints) {
    const params = Object.fromEntries(
      Object.entries(paramsOf(endpoint.path, own)).map(([name, value]) => [name, value === 'customer' ? value : MISSING]),
    );
    for (const role of [null, ...ROLES]) {
      const { statusCode, body } = await send(endpoint, role && own.people[role], { params, ...(endpoint.body ? { body: {} } : {}) });
      const said = `${callOf(endpoint)} as ${role ?? 'nobody'}: ${statusCode} ${body}`;
      if (endpoint.roles.includes('public') || (role && endpoint.roles.includes(role))) {
        expect([401, 403], said).not.toContain(statusCode);
        expect(statusCode, said).toBeLessThan(500);
      } else expect([statusCode, body], said).toEqual(role ? [403, 'Your role may not do this.'] : [401, 'Please sign in.']);
      checks += 1;
    }
  }
  expect(checks).toBe(routes.length * 5);
});

test('an agent whom the distributor has not given the permission that a call needs gets 403 with the reason (contract §14)', async () => {
  const agent = await makeAgent(testApp.db, own.people.distributor);
  const needing = endpoints.filter((endpoint) => endpoint.agentPermission);
  expect(needing.map(callOf)).toEqual(['POST /api/orders/:orderId/payments', 'POST /api/tills']);
  for (const endpoint of needing) {
    const { statusCode, body } = await send(endpoint, agent, { params: paramsOf(endpoint.path, own), body: bodyOf(endpoint, own) });
    expect([statusCode, body], callOf(endpoint)).toEqual([403, 'Your distributor does not let you take payments.']);
  }
});

describe('an id in a path', () => {
  const MALFORMED = ['abc', '1.5', '-1', '+1', '1e3', '0x1', '%201', '1%00', '%EF%BC%91', "1'", '1;2', 'null'];

  test.each(withIds.map((endpoint) => [callOf(endpoint), endpoint] as const))(
    'that is unknown or of another tenant gets 404, and a malformed id gets 400, in the call %s (spec §6; contract §2, §3)',
    async (call, endpoint) => {
      const ids = idsIn(endpoint.path);
      const mine = paramsOf(endpoint.path, own);
      const theirs = paramsOf(endpoint.path, foreign);
      const given = (values: Record<string, number | string>) => ({ params: { ...mine, ...values }, body: bodyOf(endpoint, own) });
      const all = (value: number | string) => Object.fromEntries(ids.map((name) => [name, value]));
      for (const role of rolesOf(endpoint)) {
        const by = own.people[role];
        const missing = await send(endpoint, by, given(all(MISSING)));
        expect(missing.statusCode, `${call} as ${role}, missing`).toBe(404);
        const other = await send(endpoint, by, given(theirs));
        // Admins are left out, because they may read the distributors of all tenants.
        if (role !== 'admin') expect([other.statusCode, other.body], `${call} as ${role}, another tenant's`).toEqual([404, missing.body]);
        for (const value of [0, '9'.repeat(25), '2147483648']) {
          expect((await send(endpoint, by, given(all(value)))).statusCode, `${call} as ${role}, ${value}`).toBe(404);
        }
        for (const name of ids) {
          for (const value of MALFORMED) {
            const { statusCode, body } = await send(endpoint, by, given({ [name]: value }));
            expect([statusCode, body], `${call} as ${role}, ${name} ${value}`).toEqual([
              400,
              'The id in the address must be a whole number.',
            ]);
          }
        }
        for (const name of ids.slice(1)) {
          const [foreignChild, missingChild] = [
            await send(endpoint, by, given({ [name]: theirs[name] ?? '' })),
            await send(endpoint, by, given({ [name]: MISSING })),
          ];
          expect(missingChild.statusCode, `${call} as ${role}, ${name} missing`).toBe(404);
          expect([foreignChild.statusCode, foreignChild.body], `${call} as ${role}, ${name} of another`).toEqual([404, missingChild.body]);
        }
      }
    },
  );

  test.each(withIds.filter((endpoint) => endpoint.roles.includes('customer')).map((endpoint) => [callOf(endpoint), endpoint] as const))(
    'of an unpublished distribution is not found for a customer in the call %s',
    async (_, endpoint) => {
      const [first = ''] = idsIn(endpoint.path);
      if (paramsOf(endpoint.path, own)[first] !== own.distribution.id) return;
      const body = bodyOf(endpoint, own);
      const [draft, missing] = [
        await send(endpoint, own.people.customer, { params: { ...paramsOf(endpoint.path, own), [first]: own.draft.id }, body }),
        await send(endpoint, own.people.customer, { params: { ...paramsOf(endpoint.path, own), [first]: MISSING }, body }),
      ];
      expect([draft.statusCode, draft.body]).toEqual([404, missing.body]);
    },
  );

  test("a customer's order in a foreign, unpublished or unknown distribution gets the same refusal (contract §5)", async () => {
    for (const distribution of [foreign.distribution, own.draft, { id: MISSING }]) {
      const payload = { distributionId: distribution.id, products: [{ productId: own.product.id, quantity: 1 }] };
      const answer = await testApp.request(own.people.customer, { method: 'POST', url: '/api/orders', payload });
      expect([answer.statusCode, answer.body]).toEqual([404, 'Distribution not found']);
    }
  });
});

function expectNoForeign(text: string, said: string): void {
  for (const mark of [MARK, OTHER_MARK]) expect(text, said).not.toContain(mark);
}

/** The calls that work only on a draft, that is, on an unpublished distribution. */
const OF_DRAFT = ['DELETE /api/distributions/:id', 'DELETE /api/distributions/:id/products/:productId'];

/** Returns path parameters with which the call must succeed. */
function workingParamsOf(endpoint: Endpoint, tenant: Tenant, role: Role = 'distributor'): Record<string, number | string> {
  const params = paramsOf(endpoint.path, tenant, role);
  if (!OF_DRAFT.includes(callOf(endpoint))) return params;
  return { ...params, id: tenant.draft.id, ...('productId' in params && { productId: tenant.draftProductId }) };
}

test("every call works with ids of the caller's own tenant, and no reply or mail contains another tenant's marker (spec §6; contract §2, §3; reliability R2)", async () => {
  for (const endpoint of endpoints.filter((one) => !one.roles.includes('public'))) {
    for (const role of rolesOf(endpoint)) {
      const tenant = endpoint.method === 'GET' ? own : await withSecondFactors(testApp.db, await makeTenant(testApp.db, 'Fresh'));
      const params = workingParamsOf(endpoint, tenant, role);
      const answer = await send(endpoint, tenant.people[role], { params, body: bodyOf(endpoint, tenant) });
      const said = `${callOf(endpoint)} as ${role}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
      expect(answer.statusCode === (endpoint.status ?? 200) || answer.statusCode === 200, said).toBe(true);
      expectNoForeign(answer.body, said);
      // An admin may see the distributors of all tenants.
      const others = role === 'admin' ? [] : [foreign, third];
      for (const { people } of others) for (const person of Object.values(people)) expect(answer.body, said).not.toContain(person.email);
    }
  }
  const mails = await deliverMails(testApp);
  expect(mails.length).toBeGreaterThan(3);
  for (const mail of mails) expectNoForeign(JSON.stringify(mail), `a mail to ${mail.to}`);
});

describe("fields that a call's contract does not list", () => {
  /** Returns the fields of a call's body. If the body is a list, these are the fields of its items. */
  function fieldsOf({ body }: Endpoint): Record<string, unknown> {
    const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
    return (schema?.items ?? schema)?.properties ?? {};
  }
  /**
   * Returns whether the schema of the call's body accepts any key. Such a call refuses unknown keys in its handler instead of in its schema.
   */
  const isMap = ({ body }: Endpoint): boolean => body instanceof z.ZodMiniRecord;
  const stuffedWith = (body: object, extras: object): object =>
    Array.isArray(body) ? body.map((item) => stuffedWith(item as object, extras)) : { ...extras, ...body };

  /**
   * Returns the body as JSON with additional keys such as `__proto__`. They are inserted into the text, because an object literal cannot
   * have `__proto__` as an own property.
   */
  const withPrototypes = (body: object): string =>
    JSON.stringify(body)
      .replaceAll('{', '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},"prototype":{"role":"admin"},')
      .replaceAll(',}', '}');

  test('do not change what a request writes to any table (contract §2; reliability R3)', async () => {
    const { rows: columns } = await sql<{ name: string }>`SELECT DISTINCT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public'`.execute(testApp.db);
    const words = (json: string) =>
      json
        .replaceAll(
          /\$argon2[^"]+|[\da-f]{8}-[\da-f-]{27}|"(?:challenge|secret|uri|id|quantitiesHash)":"[^"]+"|"(?:[\dA-Z]{4}-){3}[\dA-Z]{4}"/g,
          'random',
        )
        .replaceAll(/\d+/g, '0');
    let checks = 0;
    const withBody = endpoints.filter((one) => one.body && !one.roles.includes('public'));
    for (const endpoint of sampleOf(withBody, 6)) {
      for (const role of rolesOf(endpoint)) {
        const own = fieldsOf(endpoint);
        const extras = Object.fromEntries(
          columns.filter(({ name }) => !(name in own)).map(({ name }) => [name, foreign.people.customer.id]),
        );
        const effectOf = async (write: (body: object) => string): Promise<{ said: string; changes: string[] }> => {
          const tenant = await withSecondFactors(testApp.db, await makeTenant(testApp.db, 'Same'));
          const [before, body] = [await rowsOfAll(testApp.db), bodyOf(endpoint, tenant) ?? {}];
          const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(paramsOf(endpoint.path, tenant, role)[name]));
          const headers = { 'content-type': 'application/json' };
          const answer = await testApp.request(tenant.people[role], { method: endpoint.method, url, headers, payload: write(body) });
          return { said: `${answer.statusCode} ${words(answer.body)}`, changes: changesBetween(before, await rowsOfAll(testApp.db)) };
        };
        const plain = await effectOf((body) => JSON.stringify(body));
        // A call whose body may have any keys refuses the whole body because of these keys. Any other call ignores them.
        const stuffed = await effectOf((body) => withPrototypes(isMap(endpoint) ? body : stuffedWith(body, extras)));
        const expected = isMap(endpoint) ? { said: '400 An actual quantity must be a number.', changes: [] } : plain;
        expect(stuffed, `${callOf(endpoint)} as ${role}`).toEqual(expected);
        checks += 1;
      }
    }
    expect(checks).toBeGreaterThanOrEqual(6);
    expect('role' in {}).toBe(false);
  });
});
