import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { withQueryBuilder } from '../../../test/database/test-db.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { buildApi } from '../../api.ts';
import { VersionedBodyCache } from './body-cache.ts';

const testApp = setupTestApp();
let distributor: Person;
let customer: Person;
let url: string;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  url = `/api/distributions/${(await makeDistribution(testApp.db, distributor)).id}`;
});

const names = async (kind: 'products' | 'fees') => {
  const answer = await testApp.request(customer, { method: 'GET', url: `${url}/${kind}` });
  return (answer.json() as { name: string }[]).map((item) => item.name);
};
const post = async (kind: 'products' | 'fees', payload: object): Promise<number> =>
  (await testApp.request(distributor, { method: 'POST', url: `${url}/${kind}`, payload })).json().id;

test('every change of products and fees appears in the next response, although response bodies are cached', async () => {
  expect([await names('products'), await names('fees')]).toEqual([[], []]);
  const product = await post('products', { name: 'Brisket' });
  expect(await names('products')).toEqual(['Brisket']);
  await testApp.request(distributor, { method: 'PATCH', url: `${url}/products/${product}`, payload: { name: 'Brisket, lean' } });
  expect(await names('products')).toEqual(['Brisket, lean']);
  const fee = await post('fees', { name: 'Delivery', type: 'flat', amount: 500 });
  expect(await names('fees')).toEqual(['Delivery']);
  await testApp.request(distributor, { method: 'DELETE', url: `${url}/fees/${fee}` });
  expect(await names('fees')).toEqual([]);
});

test('a change made by another server process on the same database also appears in the next read', async () => {
  const other = await buildApi({ db: withQueryBuilder(testApp.db), env: testApp.env, now: () => testApp.time }, pino({ enabled: false }));
  const cookie = await testApp.cookieOf(customer);
  const there = async () => {
    const answer = await other.inject({ method: 'GET', url: `${url}/products`, headers: { cookie } });
    return (answer.json() as { name: string }[]).map((item) => item.name);
  };
  expect(await there()).toEqual([]);
  await post('products', { name: 'Brisket' });
  expect([await there(), await names('products')]).toEqual([['Brisket'], ['Brisket']]);
  await other.close();
});

test('the compressed body of a response decompresses to the same bytes as the plain one', async () => {
  for (let index = 0; index < 30; index++) await post('products', { name: `Käse ${index}`, description: '"quoted" \\ and <b>' });
  const get = (encoding: string) =>
    testApp.request(customer, { method: 'GET', url: `${url}/products`, headers: { 'accept-encoding': encoding } });
  const [br, plain, refused] = [await get('gzip, deflate, br'), await get('identity'), await get('br;q=0')];
  expect([br.headers['content-encoding'], plain.headers['content-encoding'], refused.headers['content-encoding']]).toEqual([
    'br',
    undefined,
    undefined,
  ]);
  expect(br.headers.vary).toContain('accept-encoding');
  expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString())).toEqual(plain.json());
  expect(plain.json()).toHaveLength(30);
  expect(refused.body).toBe(plain.body);
});

test('a list of products is compressed once for all clients that accept only gzip (reliability abuse)', { tags: ['long'] }, async () => {
  for (let index = 0; index < 90; index++) await post('products', { name: `Brisket ${index}`, description: 'with bone '.repeat(90) });
  const { headers, rawPayload } = await testApp.request(customer, { url: `${url}/products`, headers: { 'accept-encoding': 'gzip' } });
  // If the list were compressed for each request, it would be sent in chunks and without a length.
  expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', String(rawPayload.length)]);
  expect(JSON.parse(gunzipSync(rawPayload).toString())).toHaveLength(90);
  const bodies = new VersionedBodyCache();
  const gzip = async () => (await bodies.get(testApp.db, 1, { version: 1, make: () => Promise.resolve('[]') })).gzip;
  const first = await gzip();
  expect(gunzipSync(first).toString()).toBe('[]');
  expect(await gzip()).toBe(first);
});

test('the response body for each version of the data is created only once', async () => {
  const bodies = new VersionedBodyCache();
  let made = 0;
  const make = async () => `[${(made += 1)}]`;
  const read = async (id: number, version: number) => String((await bodies.get(testApp.db, id, { version, make })).plain);
  expect([await read(1, 1), await read(1, 1), await read(1, 2), await read(1, 2), await read(2, 2)]).toEqual([
    '[1]',
    '[1]',
    '[2]',
    '[2]',
    '[3]',
  ]);
});

test('a body above a megabyte is compressed at quality 1, because quality 5 takes several times as long (reliability abuse)', async () => {
  const compressed = (json: string, quality: number) => brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const products = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: `Product ${id * id}` })));
  const bodies = new VersionedBodyCache();
  for (const [id, count, quality] of [
    [1, 500, 5],
    [2, 40_000, 1],
  ] as const) {
    const json = products(count);
    const { br } = await bodies.get(testApp.db, id, { version: 1, make: () => Promise.resolve(json) });
    expect(br.equals(compressed(json, quality))).toBe(true);
  }
});

test('the cache stores at most five hundred bodies', async () => {
  const bodies = new VersionedBodyCache();
  let made = 0;
  const make = async () => String((made += 1));
  for (let id = 0; id <= 500; id++) await bodies.get(testApp.db, id, { version: 1, make });
  await bodies.get(testApp.db, 500, { version: 1, make });
  expect(made).toBe(501);
  await bodies.get(testApp.db, 0, { version: 1, make });
  expect(made).toBe(502);
});

test(
  'the cached bodies take at most 64 MB together; the oldest are removed first, and a larger body is not kept (reliability growth)',
  { tags: ['long'] },
  async () => {
    const cache = new VersionedBodyCache();
    const made: number[] = [];
    const read = async (id: number, megabytes: number) =>
      await cache.get(testApp.db, id, {
        version: 1,
        make: () => {
          made.push(id);
          return Promise.resolve('x'.repeat(megabytes * 1024 * 1024));
        },
      });
    for (const id of [1, 2, 3]) await read(id, 20);
    for (const id of [3, 2, 1]) await read(id, 20);
    expect(made).toEqual([1, 2, 3]);
    await read(4, 20);
    for (const id of [4, 3, 2]) await read(id, 20);
    expect(made).toEqual([1, 2, 3, 4]);
    await read(1, 20);
    expect(made).toEqual([1, 2, 3, 4, 1]);
    await read(5, 65);
    await read(5, 65);
    expect(made.slice(5)).toEqual([5, 5]);
  },
);
