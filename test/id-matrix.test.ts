// This test replaces every id in the path or body of every call by ids that the user must not be able to use (reliability R1). The list of
// calls comes from the contracts. The test fails for a call that test/calls.ts does not know.
import type { LightMyRequestResponse as Answer } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../src/api.ts';
import { ROLES, type Role } from '../src/domain/accounts/roles.ts';
import type { Endpoint } from '../src/shared/endpoint.ts';
import { bodyOf, callOf, idsIn, makeTenant, paramsOf, type Tenant } from './calls.ts';
import { rowsOfAll } from './database/database-rows.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
const MISSING = 2_000_000_000;
const MARK = 'Zzforeign';

let own: Tenant;
/** A tenant of the same distributor as `own`, but with another customer and another distribution. */
let sibling: Tenant;
let foreign: Tenant;
beforeAll(async () => {
  own = await makeTenant(testApp.db, 'Own');
  sibling = await makeTenant(testApp.db, 'Sibling', own.people.distributor);
  foreign = await makeTenant(testApp.db, MARK);
});

type Params = Record<string, number | string>;
interface Sent {
  readonly params: Params;
  readonly body?: object | undefined;
}
type Spelled = (path: string) => string;
const asWritten: Spelled = (path) => path;

async function send(endpoint: Endpoint, by: Person, { params, body }: Sent, spelled = asWritten): Promise<Answer> {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
  return await testApp.request(by, { method: endpoint.method, url: spelled(path), ...(body ? { payload: body } : {}) });
}

const endpoints = routes.map((route) => route.endpoint);
/** Public calls are left out, because their paths contain no ids of records. */
const ofSomebody = endpoints.filter((endpoint) => !endpoint.roles.includes('public'));
const withIds = ofSomebody.filter((endpoint) => idsIn(endpoint.path).length > 0);

type Kind = 'another tenant' | 'another customer' | 'missing' | 'malformed' | 'unpublished' | 'closed';
const KINDS: readonly Kind[] = ['another tenant', 'another customer', 'missing', 'malformed', 'unpublished', 'closed'];

/** Returns path parameters in which ids are replaced as `kind` says. All other parameters keep the ids of the user's own tenant. */
function paramsFor(path: string, kind: Kind): Params {
  const mine = paramsOf(path, own);
  const isOfDistribution = (name: string) => mine[name] === own.distribution.id;
  const replaced = (value: (name: string) => number | string): Params =>
    Object.fromEntries(Object.entries(mine).map(([name, was]) => [name, idsIn(path).includes(name) ? value(name) : was]));
  if (kind === 'another tenant') return paramsOf(path, foreign);
  if (kind === 'another customer') return paramsOf(path, sibling);
  if (kind === 'missing') return replaced(() => MISSING);
  if (kind === 'malformed') return replaced(() => 'abc');
  const id = kind === 'unpublished' ? own.draft.id : own.closed.id;
  // A distribution's id is replaced by `id`. A user id is replaced by the id of another customer, so that the sender of a request never
  // changes their own account.
  return replaced((name) => (isOfDistribution(name) ? id : name === 'userId' ? sibling.people.customer.id : (mine[name] ?? '')));
}

/**
 * Returns whether the path names a customer's record, which other customers must not find. In contrast, all customers of a distributor may
 * see its distributions.
 */
const isOfPerson = (path: string): boolean => /:(orderId|userId|customerId)/.test(path);
const SERVED = [200, 201, 204, 400, 404, 409, 429];

describe('a foreign id in a path looks like an unknown one (spec §6; contract §2, §3)', () => {
  test.each(withIds.map((endpoint) => [callOf(endpoint), endpoint] as const))('in the call %s', async (call, endpoint) => {
    let checks = 0;
    for (const role of ROLES) {
      const by = own.people[role];
      const body = bodyOf(endpoint, own);
      const given = (kind: Kind) => send(endpoint, by, { params: paramsFor(endpoint.path, kind), body });
      const missing = await given('missing');
      for (const kind of KINDS) {
        const answer = kind === 'missing' ? missing : await given(kind);
        const said = `${call} as ${role}, ${kind}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
        expect(answer.body, said).not.toContain(MARK);
        if (!endpoint.roles.includes(role)) expect([answer.statusCode, answer.body], said).toEqual([403, 'Your role may not do this.']);
        else if (kind === 'malformed') expect(answer.statusCode, said).toBe(400);
        else if ((kind === 'another tenant' && role !== 'admin') || kind === 'missing' || isHidden(endpoint, role, kind))
          expect([answer.statusCode, answer.body], said).toEqual([404, missing.body]);
        else expect(SERVED, said).toContain(answer.statusCode);
        checks += 1;
      }
    }
    expect(checks).toBe(ROLES.length * KINDS.length);
  });

  test.each(withIds.map((endpoint) => [callOf(endpoint), endpoint] as const))(
    'in the call %s, in every spelling of the id',
    async (call, endpoint) => {
      const encoded: Spelled = (path) =>
        path.replaceAll(/[a-z0-9]/gi, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
      const mixed: Spelled = (path) => path.replace('/api/', '/aPi/');
      for (const role of ROLES) {
        const by = own.people[role];
        const sent = { params: paramsOf(endpoint.path, foreign), body: bodyOf(endpoint, own) };
        const [plain, coded, other] = [
          await send(endpoint, by, sent),
          await send(endpoint, by, sent, encoded),
          await send(endpoint, by, sent, mixed),
        ];
        expect([coded.statusCode, coded.body], `${call} as ${role}, percent-encoded`).toEqual([plain.statusCode, plain.body]);
        expect(other.headers['content-type'], `${call} as ${role}, in mixed case`).not.toMatch(/json/);
        expect(other.body).not.toContain(MARK);
      }
    },
  );
});

function isHidden(endpoint: Endpoint, role: Role, kind: Kind): boolean {
  if (role !== 'customer') return false;
  if (kind === 'another customer') return isOfPerson(endpoint.path);
  // Customers cannot see an unpublished distribution. A path that names such a distribution is not found, even if it also names one of the
  // customer's orders.
  return kind === 'unpublished' && idsIn(endpoint.path).some((name) => paramsOf(endpoint.path, own)[name] === own.distribution.id);
}

type Way = readonly (string | number)[];

/** Returns the paths of all ids in a body. Ids are in fields whose names end with "id", and in lists of ids. */
function waysToIds(body: unknown, way: Way = []): Way[] {
  if (typeof body === 'number')
    return /^id$|Id$/.test(String(way.findLast((step) => typeof step === 'string'))) || isInIds(way) ? [way] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => waysToIds(value, [...way, Array.isArray(body) ? Number(key) : key]));
}
const isInIds = (way: Way): boolean =>
  typeof way.at(-1) === 'number' && /^(cleared|deletedFees|keep|orderIds|userIds)$/.test(String(way.at(-2)));

const at = (body: unknown, way: Way): unknown => way.reduce((part, step) => (part as Record<string | number, unknown>)[step], body);
function withAt(body: unknown, [step, ...rest]: Way, value: unknown): unknown {
  if (step === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>;
  copy[step] = withAt(copy[step], rest, value);
  return copy;
}

const places = () =>
  ofSomebody.flatMap((endpoint) =>
    waysToIds(bodyOf(endpoint, own)).map((way) => ({ endpoint, way, name: `${callOf(endpoint)} ${way.join('.')}` })),
  );

/** The test does not replace this id by that of another distribution of the same tenant, because staff may open a till in any of them. */
const OF_ANY_OWN = 'POST /api/tills distributionId';

test('ids in a body are refused when they are unknown or of another tenant, order or distribution (reliability R1)', async () => {
  const all = places();
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'POST /api/orders distributionId',
      'POST /api/distributor/order customerId',
      'POST /api/distributor/order products.0.productId',
    ]),
  );
  const before = await rowsOfAll(testApp.db);
  let checks = 0;
  for (const { endpoint, way, name } of all) {
    for (const role of ROLES.filter((one) => endpoint.roles.includes(one))) {
      const body = bodyOf(endpoint, own);
      const given = (value: unknown) =>
        send(endpoint, own.people[role], { params: paramsOf(endpoint.path, own), body: withAt(body, way, value) as object });
      const missing = await given(MISSING);
      const other = await given(at(bodyOf(endpoint, foreign), way));
      const near = name === OF_ANY_OWN ? missing : await given(at(bodyOf(endpoint, sibling), way));
      const words = (answer: Answer) => [answer.statusCode, answer.body.replaceAll(/\d+/g, '0')];
      expect(words(other), `${name} as ${role}`).toEqual(words(missing));
      expect(other.body).not.toContain(MARK);
      // A distributor may name any customer of their own tenant. All other ids must belong to the same order or distribution.
      const isRefused = missing.statusCode >= 400;
      if (!isRefused) expect(words(near), `${name} as ${role}, of another of the own`).toEqual(words(missing));
      else if (!/customerId$|userIds\.\d+$/.test(name))
        expect([400, 404], `${name} as ${role}, of another of the own`).toContain(near.statusCode);
      checks += 3;
    }
  }
  expect(checks).toBe(all.reduce((sum, { endpoint }) => sum + 3 * endpoint.roles.length, 0));
  const after = await rowsOfAll(testApp.db);
  expect(after.filter((row) => row.includes(MARK))).toEqual(before.filter((row) => row.includes(MARK)));
});
