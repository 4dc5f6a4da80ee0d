// These tests check that no call blocks the event loop, even with the largest valid input (reliability R51).
// @module-tag long
import { afterEach, beforeAll, expect, test } from 'vitest';
import { routes } from '../src/api.ts';
import { ROLES } from '../src/domain/accounts/roles.ts';
import { NESTED_TOO_DEEPLY, TOO_MANY_FIELDS, TOO_MANY_VALUES } from '../src/server/http/json-body.ts';
import { BODY_LIMIT, pathOf } from '../src/shared/endpoint.ts';
import { callOf, callersOf, makeTenant, paramsOf } from './calls.ts';
import { withSecondFactors } from './data/second-factors.ts';
import { enlarge, largestBodies, type Filler, type LargeTenant } from './largest-bodies.ts';
import { longestBlock } from './longest-block.ts';
import { sampleOf } from './setup/sampling.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
/** The maximum CPU time of one event loop iteration, in milliseconds. */
const LONGEST = 100;
/** The maximum CPU time in milliseconds that a refused body of a signed-out client may cause. */
const LONGEST_OF_PUBLIC = 10;
/**
 * The number of attempts for each call. A compilation or a garbage collection may disturb one attempt, but a call that blocks the event
 * loop does so in every attempt.
 */
const TRIES = 3;

const LETTERS: [kind: string, fill: Filler] = ['letters', (length) => 'x'.repeat(length)];

/** Functions that return strings of the given length that are expensive to parse. */
const EXPENSIVE: Record<string, Filler> = {
  'blanks between letters': (length) => `x${' '.repeat(Math.max(0, length - 2))}x`.slice(0, length),
  'elements closed in the wrong order': (length) => {
    const pairs = Math.floor(length / 8);
    return `${'<b>'.repeat(pairs)}${'</i>'.repeat(pairs)}`.padStart(length, 'x');
  },
  'marks of HTML': (length) => 'x<&>"'.repeat(length).slice(0, length),
};

/**
 * The kinds of strings that the tests send. npm test uses letters and one of the expensive kinds, chosen at random. npm run prove uses all
 * kinds.
 */
const DRAWN = [LETTERS, ...sampleOf(Object.entries(EXPENSIVE), 1)];

let tenant: LargeTenant;
beforeAll(async () => {
  tenant = await enlarge(testApp, await withSecondFactors(testApp.db, await makeTenant(testApp.db, 'Large')));
});

// Pick-up times of this distribution are deleted after each test. Otherwise, later orders would have to choose one.
afterEach(() => testApp.db.deleteFrom('slots').where('distributionId', '=', tenant.distribution.id).execute());

const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ method, body }) => body !== undefined || method === 'GET');

/**
 * The calls that refuse the input of this test. The input contains a wrong password, or names accounts, tokens, join links, codes or
 * passkeys that do not exist. In the last call of this pattern, all descriptions together are longer than a distribution allows.
 */
const REFUSING =
  /^(POST \/api\/(login|reset-password\/reset|user\/second-factor\/|login\/second-factor)|PATCH \/api\/distributions\/:id\/products$)/;

test.each(endpoints.map((endpoint) => [callOf(endpoint), endpoint] as const))(
  'the largest input of the call %s blocks the event loop for less than a tenth of a second',
  async (call, endpoint) => {
    const role = ROLES.find((one) => callersOf(call).includes(one));
    const url = pathOf(endpoint, paramsOf(endpoint.path, tenant, role));
    const send = (body: object | undefined) =>
      testApp.request(role ? tenant.people[role] : null, {
        method: endpoint.method,
        url,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
    for (const [kind, fill] of endpoint.body ? DRAWN : [LETTERS]) {
      let shortest = Infinity;
      for (let turn = 0; turn < TRIES && shortest >= LONGEST; turn++) {
        const blocks: number[] = [];
        for (const body of largestBodies({ endpoint, tenant, fill, turn })) {
          const { longest, result } = await longestBlock(() => send(body));
          blocks.push(longest);
          const limit = kind === 'letters' && turn === 0 && !REFUSING.test(call) ? 400 : 500;
          expect(result.statusCode, `${kind}: ${result.body.slice(0, 300)}`).toBeLessThan(limit);
          expect(result.body).not.toBe(TOO_MANY_VALUES);
        }
        shortest = Math.min(shortest, Math.max(...blocks));
      }
      expect(shortest, kind).toBeLessThan(LONGEST);
    }
  },
);

const weights = (count: number, keyOf: (index: number) => string) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [keyOf(index), 1])));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  ['90,000 fields that are no weights', 'weights', () => weights(90_000, (index) => `k${index}`), TOO_MANY_FIELDS],
  ['80,000 weights', 'weights', () => weights(80_000, (index) => `${index}-0`), TOO_MANY_FIELDS],
  ['a million nested lists', 'users', () => `{"users":[{"email":"a@mail.test","z":${nested(1_000_000)}}]}`, NESTED_TOO_DEEPLY],
  ['strings full of escaped quotation marks', 'weights', () => `{"a":"${String.raw`\"`.repeat(200_000)}{[:"}`, null],
] as const)(
  'a refused request body of %s blocks the event loop for less than a tenth of a second (reliability "freeze")',
  async (_, call, bodyOf, refusal) => {
    const url = call === 'weights' ? `/api/order-product-quantities/${tenant.orderId}` : '/api/users/customer';
    const payload = bodyOf();
    const { longest, result } = await longestBlock(() =>
      testApp.request(tenant.people.distributor, { method: 'POST', url, headers: { 'content-type': 'application/json' }, payload }),
    );
    expect(result.statusCode).toBe(400);
    if (refusal !== null) expect(result.body).toBe(refusal);
    expect(longest).toBeLessThan(LONGEST);
  },
);

const manyOf = (count: number, start: string, value: string): string => `${start}${`${value},`.repeat(count)}${value}`;

/** The calls whose bodies contain lists of objects. `start` and `end` are the parts of a body before and after the objects. */
const LISTS: [call: string, path: string, start: string, end: string][] = [
  ['POST /api/users/:role', '/api/users/customer', '"users":[', ']}'],
  ['POST /api/send-emails', '/api/send-emails', '[', ']'],
  ['PATCH /api/distributions/:id/products', '/api/distributions/:id/products', '"products":[', ']}'],
  ['POST /api/distributions/:id/repricing', '/api/distributions/:id/repricing', '"products":[', ']}'],
  ['POST /api/distributor/order', '/api/distributor/order', '"distributionId":1,"products":[', ']}'],
];
const PROTO = '"__proto__":{},';
const distinctFields = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `"k${from + index}":1`).join(',');

const directions = (bytes: number): string => JSON.stringify('a\u202e'.repeat(Math.max(1, (bytes - 3) / 4)));

/** Bodies that are as long as the call allows, and bodies that have as many values as the call allows. */
const FLOODED = LISTS.flatMap(([call, path, start, end]) => {
  const found = endpoints.find((endpoint) => callOf(endpoint) === call);
  const [bytes, values] = [(found?.bodyLimit ?? BODY_LIMIT) - 1000, (found?.maxValues ?? 50_000) - 20];
  const isObject = end !== ']';
  const begin = isObject ? `{${start}` : start;
  const beginWithProto = isObject ? `{${PROTO}${start}` : `[{${PROTO}"x":${start}`;
  const endWithProto = isObject ? end : `${end}}]`;
  const perObject = 24;
  const objectsWith = (names: number): string =>
    Array.from({ length: names / perObject }, (_, index) => `{${distinctFields(index * perObject, (index + 1) * perObject)}}`).join(',');
  const kinds: [kind: string, payload: string, refusal: string | null][] = [
    ['as many empty objects as fit', `${manyOf(bytes / 3 - 2, begin, '{}')}${end}`, TOO_MANY_VALUES],
    ['as many empty objects as fit and a key __proto__', `${manyOf(bytes / 3 - 10, beginWithProto, '{}')}${endWithProto}`, TOO_MANY_VALUES],
    ['as many digits as fit', `${manyOf(bytes / 2 - 2, begin, '1')}${end}`, TOO_MANY_VALUES],
    ['as many characters that change the direction of text as fit', `${manyOf(values, begin, directions(bytes / values))}${end}`, null],
    ['as many empty objects as are counted', `${manyOf(values / 2, begin, '{}')}${end}`, null],
    ['as many empty objects as are counted and a key __proto__', `${manyOf(values / 2, beginWithProto, '{}')}${endWithProto}`, null],
    ['as many digits as are counted', `${manyOf(values, begin, '1')}${end}`, null],
    ['as many different fields as fit', `${begin}${objectsWith(Math.floor(values / (perObject + 1)) * perObject)}${end}`, TOO_MANY_FIELDS],
    ['as many different fields as are counted and a key __proto__', `${beginWithProto}${objectsWith(9600)}${endWithProto}`, null],
  ];
  return kinds.map(([kind, payload, refusal]) => ({ call, kind, method: call.split(' ')[0] as 'POST' | 'PATCH', path, payload, refusal }));
});

test.each(FLOODED)(
  'a body of the call $call with $kind blocks the event loop for less than a tenth of a second (reliability freeze)',
  async ({ method, path, payload, refusal }) => {
    const url = path.replace(':id', String(tenant.distribution.id));
    let shortest = Infinity;
    for (let turn = 0; turn < TRIES && shortest >= LONGEST; turn++) {
      const { longest, result } = await longestBlock(() =>
        testApp.request(tenant.people.distributor, { method, url, headers: { 'content-type': 'application/json' }, payload }),
      );
      expect(result.statusCode, result.body.slice(0, 300)).toBe(400);
      if (refusal !== null) expect(result.body).toBe(refusal);
      shortest = Math.min(shortest, longest);
    }
    expect(shortest).toBeLessThan(LONGEST);
  },
);

const LOGIN_START = '{"email":"a@mail.test","password":';
const listOf = (count: number, value: string): string => `[${Array.from({ length: count }, () => value).join(',')}]`;

test.each([
  ['empty lists', `${LOGIN_START}${listOf(340_000, '[]')}}`],
  ['empty lists and a key __proto__', `{"__proto__":{},${LOGIN_START.slice(1)}${listOf(340_000, '[]')}}`],
  ['digits in a list', `[${LOGIN_START}${listOf(500_000, '1')}}]`],
] as const)(
  'a signed-out body of a megabyte with %s is refused before it is parsed, so that it takes less than ten milliseconds (reliability abuse)',
  async (_kind, payload) => {
    let shortest = Infinity;
    for (let turn = 0; turn < TRIES && shortest >= LONGEST_OF_PUBLIC; turn++) {
      const { longest, result } = await longestBlock(() =>
        testApp.request(null, { method: 'POST', url: '/api/login', headers: { 'content-type': 'application/json' }, payload }),
      );
      expect([result.statusCode, result.body]).toEqual([400, TOO_MANY_VALUES]);
      shortest = Math.min(shortest, longest);
    }
    expect(shortest).toBeLessThan(LONGEST_OF_PUBLIC);
  },
);

test('an order with more values than the largest valid one is refused before it is parsed, however short they are (reliability abuse)', async () => {
  const order = (values: number): string => `{"distributionId":1,"products":[],"unknown":${listOf(values, '{}')}}`;
  const refusalOf = async (payload: string): Promise<string> =>
    (
      await testApp.request(tenant.people.customer, {
        method: 'POST',
        url: '/api/orders',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    ).body;
  expect(await refusalOf(order(11_000))).toBe(TOO_MANY_VALUES);
  expect(await refusalOf(order(9000))).not.toBe(TOO_MANY_VALUES);
});

test('a signed-out body of a megabyte that consists of two long strings is parsed, not refused for its length (contract §2; reliability abuse)', async () => {
  const payload = JSON.stringify({ email: 'a'.repeat(500_000), password: 'x'.repeat(500_000) });
  const { longest, result } = await longestBlock(() =>
    testApp.request(null, { method: 'POST', url: '/api/login', headers: { 'content-type': 'application/json' }, payload }),
  );
  expect(result.statusCode).toBe(400);
  expect(result.body).not.toBe(TOO_MANY_VALUES);
  expect(longest).toBeLessThan(LONGEST);
});
