import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { routes } from '../../api.ts';
import { LOCK_MINUTES, MAX_FAILURES, MAX_NETWORK_FAILURES } from '../../domain/accounts/account.ts';
import { dollars, MAX_CENTS } from '../../domain/money.ts';
import { MAX_QUANTITY } from '../../domain/order.ts';
import { CLOSED_FOR_GOOD, NOT_ALL_WEIGHED } from '../../domain/texts.ts';
import { MAX_WEIGHT } from '../../domain/weights/weight.ts';
import { MAX_AT_ONCE } from '../../features/actuals/contract.ts';
import { MAX_INVITATIONS_PER_DAY, MAX_INVITATIONS_PER_MAILBOX, MAX_LINKS_PER_HOUR } from '../../features/auth/contract.ts';
import { LOCKED, NO_MATCH } from '../../features/auth/texts.ts';
import { MAX_GROUPS, MAX_DISTRIBUTIONS } from '../../features/distributions/contract.ts';
import { tooManyDistributions } from '../../features/distributions/texts.ts';
import { MAX_HTML_LENGTH, MAX_MAILS, MAX_MAILS_PER_DAY } from '../../features/emails/contract.ts';
import { unsubscribeLink } from '../../features/emails/routes.ts';
import { HUNDRED_PERCENT, MAX_FEES } from '../../features/fees/contract.ts';
import { tooManyFees } from '../../features/fees/texts.ts';
import { MAX_JOIN_REQUESTS, MAX_PER_NETWORK, MAX_PER_SITE } from '../../features/join-requests/contract.ts';
import { MAX_LINES } from '../../features/orders/contract.ts';
import { CHANGED_ELSEWHERE } from '../../features/orders/texts.ts';
import { MAX_DESCRIPTION_LENGTH } from '../../features/payments/contract.ts';
import { MAX_PRODUCTS, MAX_PRODUCTS_KEPT } from '../../features/products/contract.ts';
import { tooManyProducts } from '../../features/products/texts.ts';
import { MAX_PEOPLE_PER_DAY, MAX_USERS } from '../../features/users/contract.ts';
import { INVITED_OFTEN, tooManyPeople } from '../../features/users/texts.ts';
import { numberText } from '../../shared/counted.ts';
import { BODY_LIMIT } from '../../shared/endpoint.ts';
import { MAX_INT, MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MAX_TEXT_LENGTH } from '../../shared/fields.ts';
import { MAX_PAGE_SIZE } from '../../shared/pages.ts';
import { MAX_PICTURE_SIDE, PICTURE_BOUNDS } from '../../shared/picture-limits.ts';
import { TOO_MANY_CHECKS } from '../../shared/texts.ts';
import { notPartSize, TOO_MANY_PICTURES } from '../../shared/texts.ts';
import { TOO_MANY } from '../http/pipeline/expensive-calls.ts';
import { KEY_HOURS, MAX_KEY_LENGTH, USED_FOR_ANOTHER } from '../http/pipeline/idempotency.ts';

const testApp = setupTestApp();

interface Operation {
  summary: string;
  description: string;
  security?: unknown[];
  parameters: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  components: { securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

const read = async (): Promise<Document> => (await testApp.request(null, { method: 'GET', url: '/api/openapi.json' })).json();

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['identity;q=0.5, *', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['*;q=0.000', undefined],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0, *', undefined],
  ['x-gzip', undefined],
  [undefined, undefined],
])('for Accept-Encoding %s, the API document is sent with the encoding %s', async (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const { headers: sent, rawPayload } = await testApp.request(null, { method: 'GET', url: '/api/openapi.json', headers });
  // If the reply were compressed for each request, it would be sent in chunks and without a length.
  expect([sent['content-encoding'], sent['content-length']]).toEqual([encoding, String(rawPayload.length)]);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((payload: Buffer) => payload);
  expect(JSON.parse(decode(rawPayload).toString())).toHaveProperty('openapi');
});

test('the files of the API documentation are not compressed for each request (reliability abuse)', async () => {
  const url = '/api/docs/static/swagger-ui-bundle.js';
  const { headers, rawPayload } = await testApp.request(null, { method: 'GET', url, headers: { 'accept-encoding': 'br, gzip' } });
  // If the file were compressed for each request, it would be sent in chunks and without a length.
  expect([headers['content-encoding'], headers['content-length']]).toEqual(['br', String(rawPayload.length)]);
  expect(brotliDecompressSync(rawPayload).toString()).toContain('SwaggerUIBundle');
});

test('the API document contains every endpoint once, and nothing else (contract §2)', async () => {
  const { openapi, info, paths } = await read();
  expect([openapi, info.title, info.version]).toEqual(['3.1.0', 'Feastday', '0.1.0']);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const endpoints = [...routes.map((route) => route.endpoint), ...unsubscribeLink.endpoints];
  const mounted = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(mounted.toSorted());
  expect(new Set(mounted).size).toBe(mounted.length);
});

test("the API document describes each operation's purpose, roles, parameters, body and replies", async () => {
  const { paths, components } = await read();
  expect(Object.keys(components.securitySchemes)).toEqual(['session']);
  for (const { endpoint } of routes) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = paths[path]?.[endpoint.method.toLowerCase()];
    expect(operation?.summary, path).toBe(endpoint.summary);
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path');
    expect(
      inPath?.map((parameter) => [`{${parameter.name}}`, parameter.required]),
      path,
    ).toEqual([...path.matchAll(/\{\w+\}/g)].map(([name]) => [name, true]));
    expect(operation?.security === undefined, path).toBe(!endpoint.roles.includes('public'));
    const body = operation?.requestBody?.content['application/json']?.schema;
    expect(body !== undefined, path).toBe(endpoint.body !== undefined);
    const success = operation?.responses[String(endpoint.status ?? 200)];
    expect(success?.content?.['application/json']?.schema !== undefined, path).toBe(endpoint.reply !== undefined);
    for (const [status, response] of Object.entries(operation?.responses ?? {})) {
      expect([/^([2-5]\d\d|default)$/.test(status), response.description === ''], path).toEqual([true, false]);
    }
  }
});

test('the API document contains the schemas that validate the calls (contract §2)', async () => {
  const { paths } = await read();
  const order = paths['/api/orders']?.['post'];
  expect(order?.requestBody?.content['application/json']?.schema).toMatchObject({
    type: 'object',
    properties: {
      distributionId: { type: 'integer', maximum: 2_147_483_647 },
      products: { type: 'array', items: { type: 'object', required: ['productId', 'quantity'] } },
    },
    required: ['distributionId', 'products'],
  });
  expect(order?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]);
  expect(JSON.stringify(paths)).not.toContain('"$schema"');
});

describe('the API document states every limit of the server (contract §2)', () => {
  const bodyOf = (operation: Operation) => operation.requestBody?.content['application/json']?.schema;
  let paths: Document['paths'];
  beforeAll(async () => {
    ({ paths } = await read());
  });
  const found = (call: string): Operation => {
    const [method = '', path = ''] = call.split(' ');
    const operation = paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${call} is not in the document`);
    return operation;
  };
  const USERS = 'POST /api/users/{role}';
  const FEES = '/api/distributions/{id}/fees';

  const most = (maximum: number) => ({ maximum });
  const items = (maxItems: number) => ({ maxItems });
  const letters = (maxLength: number) => ({ maxLength });
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  const fields = (properties: object) => ({ properties });
  test.each<[string, object]>([
    ['POST /api/orders', fields({ products: items(MAX_LINES), distributionId: most(MAX_INT) })],
    ['POST /api/distributor/order', fields({ products: items(MAX_LINES) })],
    [
      'POST /api/send-emails',
      { ...items(MAX_MAILS), items: fields({ html: letters(MAX_HTML_LENGTH), subject: letters(MAX_TEXT_LENGTH) }) },
    ],
    [USERS, fields({ users: items(MAX_USERS), replyTo: letters(MAX_EMAIL_LENGTH) })],
    [`POST ${FEES}`, fields({ amount: most(MAX_CENTS), name: letters(MAX_TEXT_LENGTH) })],
    ['POST /api/distributions/{id}/repricing', fields({ products: items(MAX_PRODUCTS_KEPT), newFees: items(MAX_FEES) })],
    ['PATCH /api/distributions/{id}/products', fields({ products: items(MAX_PRODUCTS) })],
    [
      'POST /api/distributions/{id}/products',
      fields({ unit_price: most(MAX_CENTS), unit_qty: most(MAX_QUANTITY), max_order_qty: most(MAX_QUANTITY) }),
    ],
    [
      'POST /api/orders/{orderId}/payments',
      fields({ amount: most(MAX_CENTS), feeAmount: most(MAX_CENTS), description: orNull(letters(MAX_DESCRIPTION_LENGTH)) }),
    ],
    ['PATCH /api/distributions/{id}', fields({ groupOrder: orNull(items(MAX_GROUPS)) })],
    ['POST /api/reset-password/reset', fields({ password: letters(MAX_PASSWORD_LENGTH) })],
  ])('for the call %s, the limits in the schema of its body (contract §2)', (call, bounds) => {
    expect(bodyOf(found(call))).toMatchObject(bounds);
  });

  test.each<[string, (string | number)[]]>([
    ['POST /api/orders', [numberText(MAX_QUANTITY), dollars(MAX_CENTS)]],
    ['POST /api/distributor/order', [numberText(MAX_QUANTITY), dollars(MAX_CENTS)]],
    ['POST /api/order-product-quantities/{orderId}', [numberText(MAX_AT_ONCE), numberText(MAX_WEIGHT)]],
    [`POST ${FEES}`, [tooManyFees(MAX_FEES), HUNDRED_PERCENT]],
    [`PATCH ${FEES}/{feeId}`, [HUNDRED_PERCENT]],
    ['POST /api/distributions/{id}/products', [dollars(MAX_CENTS)]],
    ['PATCH /api/distributions/{id}/products/{productId}', [dollars(MAX_CENTS)]],
    ['PATCH /api/distributions/{id}/products', [dollars(MAX_CENTS)]],
    ['POST /api/product-images/{productCode}', [PICTURE_BOUNDS, MAX_PICTURE_SIDE]],
    ['POST /api/send-emails', [numberText(MAX_MAILS_PER_DAY)]],
    ['POST /api/emails/test', [numberText(MAX_MAILS_PER_DAY)]],
    [USERS, [MAX_EMAIL_LENGTH, MAX_TEXT_LENGTH]],
    [
      `${USERS}/{userId}/invite`,
      [
        `At most ${MAX_LINKS_PER_HOUR} invitations an hour`,
        `${MAX_INVITATIONS_PER_DAY} a day of one distributor go to one e-mail address`,
        `${MAX_INVITATIONS_PER_MAILBOX} a day of one distributor go to one mailbox`,
      ],
    ],
    ['POST /api/reset-password/request', [`At most ${MAX_LINKS_PER_HOUR} links an hour`]],
    [
      'POST /api/register',
      [
        `At most ${MAX_LINKS_PER_HOUR} links an hour`,
        MAX_INVITATIONS_PER_DAY,
        MAX_PER_NETWORK,
        MAX_PER_SITE,
        numberText(MAX_JOIN_REQUESTS),
      ],
    ],
    ['POST /api/login', [`${MAX_FAILURES} failures in a row`, `${LOCK_MINUTES} minutes`, MAX_NETWORK_FAILURES]],
    ['POST /api/user/password', [`${MAX_FAILURES} failures in a row`, `${LOCK_MINUTES} minutes`]],
  ])('the description of the call %s contains the limits of that call (contract §2)', (call, said) => {
    const { description } = found(call);
    for (const limit of said) expect(description).toContain(String(limit));
  });

  test.each<[string, number, string]>([
    ['POST /api/orders', 409, CHANGED_ELSEWHERE],
    ['POST /api/orders', 409, USED_FOR_ANOTHER],
    ['POST /api/distributor/order', 409, CHANGED_ELSEWHERE],
    ['POST /api/orders/{orderId}/payments', 409, NOT_ALL_WEIGHED],
    ['PATCH /api/distributions/{id}', 409, CLOSED_FOR_GOOD],
    ['POST /api/login', 401, NO_MATCH],
    ['POST /api/login', 429, LOCKED],
    ['GET /api/distributions/{id}', 404, 'It does not exist, or belongs to somebody else.'],
    [`${USERS}/{userId}/invite`, 429, INVITED_OFTEN.hour],
    ['POST /api/product-images/{productCode}', 429, TOO_MANY_PICTURES],
    ['POST /api/send-emails', 429, numberText(MAX_MAILS_PER_DAY)],
    ['POST /api/send-emails', 429, TOO_MANY_CHECKS],
    ['POST /api/emails/test', 429, TOO_MANY_CHECKS],
    [USERS, 429, TOO_MANY],
    [USERS, 429, tooManyPeople(MAX_PEOPLE_PER_DAY)],
    ['POST /api/distributions', 409, tooManyDistributions(MAX_DISTRIBUTIONS)],
    ['POST /api/distributions/{id}/copy', 409, tooManyDistributions(MAX_DISTRIBUTIONS)],
    ['POST /api/distributions/{id}/products', 409, tooManyProducts(MAX_PRODUCTS_KEPT)],
  ])('for the call %s, the refusal with the status %i and its message (contract §2)', (call, status, said) => {
    expect(found(call).responses[status]?.description).toContain(said);
  });

  test('for each call, the limit of its body and the lifetime of its idempotency keys (contract §2)', () => {
    for (const { endpoint } of routes) {
      const { responses, parameters } = found(`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`);
      const megabytes = (endpoint.bodyLimit ?? BODY_LIMIT) / BODY_LIMIT;
      expect(responses['413']?.description, endpoint.path).toBe(endpoint.body && `The body is larger than ${megabytes} MB.`);
      const key = parameters.find(({ name }) => name === 'Idempotency-Key');
      if (!endpoint.idempotent) expect(key, endpoint.path).toBeUndefined();
      else
        expect(key, endpoint.path).toMatchObject({
          description: expect.stringContaining(`${KEY_HOURS} hours`),
          schema: letters(MAX_KEY_LENGTH),
        });
    }
  });

  test('for the calls that save an order, the version on which the save is based (contract §2, §5)', () => {
    for (const call of ['POST /api/orders', 'POST /api/distributor/order']) {
      const body = bodyOf(found(call));
      expect(body).toMatchObject({ properties: { version: { type: 'integer', description: expect.stringContaining('409') } } });
      expect(body?.['required']).not.toContain('version');
    }
  });

  test('for every paginated list, the page size (contract §2)', () => {
    const { parameters } = found('GET /api/distributions/{id}/payments');
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toMatchObject({ description: notPartSize(MAX_PAGE_SIZE) });
  });
});

test('GET /api/docs returns a page that shows the API document; this server also serves the scripts and styles of the page (contract §2)', async () => {
  const pages = await Promise.all(['/api/docs', '/api/docs/'].map((url) => testApp.request(null, { method: 'GET', url })));
  expect(pages.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
  ]);
  const sources = [...(pages[0]?.body ?? '').matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, source = '']) => source);
  expect(sources).toHaveLength(3);
  for (const url of sources) expect([url, (await testApp.request(null, { method: 'GET', url })).statusCode]).toEqual([url, 200]);
  const start = await testApp.request(null, { method: 'GET', url: '/api/docs/start.js' });
  expect(start.body).toContain("url: '/api/openapi.json'");
});

test("the files of the API document's page have the types of scripts and styles; unknown files are handled like any unknown call", async () => {
  const urls = ['swagger-ui.css', 'swagger-ui-bundle.js'].map((file) => `/api/docs/static/${file}`);
  const files = await Promise.all(urls.map((url) => testApp.request(null, { method: 'GET', url })));
  expect(files.map(({ statusCode, headers }) => [statusCode, headers['content-type'], headers['x-content-type-options']])).toEqual([
    [200, 'text/css; charset=utf-8', 'nosniff'],
    [200, 'text/javascript; charset=utf-8', 'nosniff'],
  ]);
  const nothing = await testApp.request(null, { method: 'GET', url: '/api/docs/static/nothing.js' });
  expect([nothing.statusCode, nothing.body]).toEqual([404, 'This address was not found']);
});
