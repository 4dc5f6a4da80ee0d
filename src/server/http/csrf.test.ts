import { beforeAll, describe, expect, test } from 'vitest';
import { makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { routes } from '../../api.ts';

const FRIEND = 'https://shop.example.org';
const testApp = setupTestApp({ PUBLIC_URL: 'https://orders.example.org', CORS_ORIGINS: FRIEND });
let distributor: Person;
beforeAll(async () => {
  distributor = await makeDistributor(testApp.db);
});

const REFUSED = 'This request came from another site and was refused.';
const writes = routes.map((route) => route.endpoint).filter((endpoint) => endpoint.method !== 'GET');
const create = (headers: Record<string, string>) =>
  testApp.request(distributor, {
    method: 'POST',
    url: '/api/distributions',
    headers: { host: 'orders.example.org', ...headers },
    payload: { name: 'Purim', date: '2027-03-20' },
  });

const FOREIGN = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://orders.example.org' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://orders.example.org.evil.example' },
  { origin: 'https://orders.example.org:8443' },
  { origin: '' },
] as Record<string, string>[];

describe('a write from another origin (contract §2)', () => {
  test.each(FOREIGN)('is refused with the headers %j', async (headers) => {
    const answer = await create(headers);
    expect([answer.statusCode, answer.body]).toEqual([403, REFUSED]);
  });

  test('is refused by every call before the server reads the body', async () => {
    expect(writes.length).toBeGreaterThanOrEqual(10);
    for (const { method, path } of writes) {
      const url = path.replace(/:\w+/g, '1');
      for (const headers of FOREIGN) {
        const answer = await testApp.app.inject({ method, url, headers: { host: 'orders.example.org', ...headers } });
        expect([path, headers, answer.statusCode, answer.body]).toEqual([path, headers, 403, REFUSED]);
      }
    }
  });
});

test.each([
  {},
  { 'sec-fetch-site': 'same-origin', origin: 'https://orders.example.org' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://orders.example.org' },
  { origin: FRIEND, 'sec-fetch-site': 'cross-site' },
] as Record<string, string>[])(
  "the server accepts a write from Feastday's own pages, an allowed origin or a program: %j (contract §2)",
  async (headers) => {
    // Over https the session cookie has another name than in this request, so the server treats the request as anonymous.
    expect((await create(headers)).statusCode).toBe(401);
  },
);

test('a read by a page of another origin gets a reply without Access-Control-Allow-Origin, so that the browser hides the reply from that page', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const answer = await testApp.app.inject({ method: 'GET', url: '/api/health', headers });
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
});

test('pages of an allowed origin may read replies to requests with cookies (contract §1)', async () => {
  const answer = await testApp.app.inject({ method: 'GET', url: '/api/health', headers: { origin: FRIEND } });
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': FRIEND, 'access-control-allow-credentials': 'true' });
});

test("the server answers an allowed origin's preflight for every method and the idempotency header", async () => {
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const headers = {
      origin: FRIEND,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,idempotency-key',
    };
    const answer = await testApp.app.inject({ method: 'OPTIONS', url: '/api/orders', headers });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-methods']).toContain(method);
    expect(answer.headers['access-control-allow-headers']).toContain('idempotency-key');
  }
});
