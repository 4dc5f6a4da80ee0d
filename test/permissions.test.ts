// Every call of src/api.ts against every role and every kind of id, read from the contracts.
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { routes } from '../src/api.ts';
import { ROLES, type Role } from '../src/domain/roles.ts';
import type { Endpoint } from '../src/shared/endpoint.ts';
import type { JsonSchema } from './arbitraries.ts';
import { bodyOf, callersOf, callOf, idsIn, makeTenant, paramsOf, type Tenant } from './calls.ts';
import { testWorld, type Person } from './world.ts';

const world = testWorld();
const endpoints = routes.map((route) => route.endpoint);
const MISSING = 2_000_000_000;

async function send(
  endpoint: Endpoint,
  by: Person | null,
  { params, body }: { params: Record<string, number | string>; body?: object | undefined },
) {
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
  return await world.request(by, { method: endpoint.method, url, ...(body ? { payload: body } : {}) });
}

const MARK = 'Zzforeign';
let own: Tenant;
let foreign: Tenant;
beforeAll(async () => {
  own = await makeTenant(world.db, 'Own');
  foreign = await makeTenant(world.db, MARK);
});

const rolesOf = (endpoint: Endpoint): Role[] => ROLES.filter((role) => endpoint.roles.includes(role));
const withIds = endpoints.filter((endpoint) => idsIn(endpoint.path).length > 0);

test.each(endpoints.map((endpoint) => [callOf(endpoint), endpoint.roles] as const))(
  '%s is open to nobody else (spec §6; contract §3, §7)',
  (call, roles) => {
    expect(roles.toSorted()).toEqual(callersOf(call).toSorted());
  },
);

test('every call answers its own roles only: nobody is 401, the wrong role 403 (spec §6; contract §2, §3)', async () => {
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

describe('an id in an address', () => {
  const MALFORMED = ['abc', '1.5', '-1', '+1', '1e3', '0x1', '%201', '1%00', '%EF%BC%91', "1'", '1;2', 'null'];

  test.each(withIds.map((endpoint) => [callOf(endpoint), endpoint] as const))('%s (spec §6; contract §2, §3)', async (call, endpoint) => {
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
      expect([other.statusCode, other.body], `${call} as ${role}, another tenant's`).toEqual([404, missing.body]);
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
  });

  test.each(withIds.filter((endpoint) => endpoint.roles.includes('customer')).map((endpoint) => [callOf(endpoint), endpoint] as const))(
    '%s: what is not published is not there for a customer',
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

  test('a customer orders in no distribution that is foreign, unpublished or missing, and is told the same of each (contract §5)', async () => {
    for (const distribution of [foreign.distribution, own.draft, { id: MISSING }]) {
      const payload = { distributionId: distribution.id, products: [{ productId: own.product.id, quantity: 1 }] };
      const answer = await world.request(own.people.customer, { method: 'POST', url: '/api/orders', payload });
      expect([answer.statusCode, answer.body]).toEqual([404, 'Distribution not found']);
    }
  });
});

test('with its own ids every call works, and no answer carries a word of another tenant (spec §6; contract §2, §3)', async () => {
  for (const endpoint of endpoints.filter((one) => !one.roles.includes('public'))) {
    for (const role of rolesOf(endpoint)) {
      const tenant = endpoint.method === 'GET' ? own : await makeTenant(world.db, 'Fresh');
      const params = paramsOf(endpoint.path, tenant);
      const answer = await send(endpoint, tenant.people[role], { params, body: bodyOf(endpoint, tenant) });
      const said = `${callOf(endpoint)} as ${role}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
      expect(answer.statusCode === (endpoint.status ?? 200) || answer.statusCode === 200, said).toBe(true);
      expect(answer.body).not.toContain(MARK);
      // An admin lists every distributor.
      if (role !== 'admin') for (const person of Object.values(foreign.people)) expect(answer.body).not.toContain(person.email);
    }
  }
});

describe('fields that nobody asked for', () => {
  /** The fields of a body, or of each item where it is a list. */
  function fieldsOf({ body }: Endpoint): Record<string, unknown> {
    const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
    return (schema?.items ?? schema)?.properties ?? {};
  }
  /** In a map every key is asked for: a wrong one is refused. */
  const isMap = ({ body }: Endpoint): boolean => body instanceof z.ZodMiniRecord;
  const stuffed = (body: object, extras: object): object =>
    Array.isArray(body) ? body.map((item) => stuffed(item as object, extras)) : { ...extras, ...body, constructor: { prototype: 1 } };

  async function rowsOf(distributorId: number): Promise<string> {
    const { rows } = await sql`SELECT
      (SELECT json_agg(d ORDER BY id) FROM distributions d WHERE "distributorId" = ${distributorId}) AS distributions,
      (SELECT json_agg(p ORDER BY id) FROM products p WHERE "distributorId" = ${distributorId}) AS products,
      (SELECT json_agg(f ORDER BY id) FROM fees f WHERE "distributorId" = ${distributorId}) AS fees,
      (SELECT json_agg(o ORDER BY id) FROM orders o WHERE "distributorId" = ${distributorId}) AS orders,
      (SELECT json_agg(l ORDER BY id) FROM order_products l WHERE "distributorId" = ${distributorId}) AS lines,
      (SELECT json_agg(u ORDER BY id) FROM users u WHERE "distributorId" = ${distributorId} OR id = ${distributorId}) AS users,
      (SELECT json_agg(c ORDER BY c.id) FROM contacts c JOIN users u ON u.id = c."userId" WHERE u."distributorId" = ${distributorId}) AS contacts`.execute(
      world.db,
    );
    return JSON.stringify(rows);
  }

  test('are dropped: the answer and the rows are as without them, and no other tenant is touched (contract §2)', async () => {
    const { rows: columns } = await sql<{ name: string }>`SELECT DISTINCT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public'`.execute(world.db);
    const before = await rowsOf(foreign.people.distributor.id);
    const words = (json: string) => json.replaceAll(/\$argon2[^"]+|[\da-f]{8}-[\da-f-]{27}/g, 'random').replaceAll(/\d+/g, '0');
    for (const endpoint of endpoints.filter((one) => one.body && !isMap(one) && !one.roles.includes('public'))) {
      for (const role of rolesOf(endpoint)) {
        const [plain, other] = [await makeTenant(world.db, 'Same'), await makeTenant(world.db, 'Same')];
        const own = fieldsOf(endpoint);
        const extras = Object.fromEntries(
          columns.filter(({ name }) => !(name in own)).map(({ name }) => [name, foreign.people.customer.id]),
        );
        const answers = [
          await send(endpoint, plain.people[role], { params: paramsOf(endpoint.path, plain), body: bodyOf(endpoint, plain) }),
          await send(endpoint, other.people[role], {
            params: paramsOf(endpoint.path, other),
            body: stuffed(bodyOf(endpoint, other) ?? {}, extras),
          }),
        ];
        const [without, withExtras] = answers.map((answer) => `${answer.statusCode} ${words(answer.body)}`);
        expect(withExtras, callOf(endpoint)).toBe(without);
        expect(words(await rowsOf(other.people.distributor.id)), callOf(endpoint)).toBe(words(await rowsOf(plain.people.distributor.id)));
      }
    }
    expect(await rowsOf(foreign.people.distributor.id)).toBe(before);
  });
});
