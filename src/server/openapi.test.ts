import { expect, test } from 'vitest';
import { testWorld } from '../../test/world.ts';
import { routes } from '../api.ts';
import { unsubscribeLink } from '../features/emails/routes.ts';

const world = testWorld();

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

const read = async (): Promise<Document> => (await world.request(null, { method: 'GET', url: '/api/openapi.json' })).json();

test('every call is in the document, once, and nothing else (contract §2)', async () => {
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

test('every operation says what it is, for whom, its parameters, its body and its answers', async () => {
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
      expect([/^[2-5]\d\d$/.test(status), response.description === ''], path).toEqual([true, false]);
    }
  }
});

test('the schemas are those that check the calls (contract §2)', async () => {
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
  expect(order?.parameters).toEqual([{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]);
  expect(JSON.stringify(paths)).not.toContain('"$schema"');
});

test('the document can be read in a browser, with its scripts and styles from here (contract §2)', async () => {
  const pages = await Promise.all(['/api/docs', '/api/docs/'].map((url) => world.request(null, { method: 'GET', url })));
  expect(pages.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
  ]);
  const sources = [...(pages[0]?.body ?? '').matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, source = '']) => source);
  expect(sources).toHaveLength(3);
  for (const url of sources) expect([url, (await world.request(null, { method: 'GET', url })).statusCode]).toEqual([url, 200]);
  const start = await world.request(null, { method: 'GET', url: '/api/docs/start.js' });
  expect(start.body).toContain("url: '/api/openapi.json'");
});

test('a file of it is kept by its tag; what is not there, or asked for wrongly, is refused like any other call', async () => {
  const url = '/api/docs/static/swagger-ui.css';
  const styles = await world.request(null, { method: 'GET', url });
  expect([styles.statusCode, styles.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
  const again = await world.request(null, { method: 'GET', url, headers: { 'if-none-match': String(styles.headers.etag) } });
  expect([again.statusCode, again.headers['content-length'], again.headers['content-type'], again.body]).toEqual([
    304,
    undefined,
    undefined,
    '',
  ]);
  const nothing = await world.request(null, { method: 'GET', url: '/api/docs/static/nothing.js' });
  expect([nothing.statusCode, nothing.body]).toEqual([404, 'This address was not found']);
  const headers = { range: 'bytes=999999999-', accept: 'application/problem+json' };
  const beyond = await world.request(null, { method: 'GET', url, headers });
  expect([beyond.statusCode, beyond.json()]).toEqual([416, expect.objectContaining({ status: 416, detail: 'The request is malformed.' })]);
});
