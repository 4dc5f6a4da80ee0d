// Tests that the API document describes the replies that all calls, or calls of a kind, have in common.
import { expect, test } from 'vitest';
import { setupTestApp } from './test-app.ts';
import { routes } from '../src/api.ts';

const testApp = setupTestApp();

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
}
const read = async (): Promise<Document['paths']> =>
  (await testApp.request(null, { method: 'GET', url: '/api/openapi.json' })).json<Document>().paths;

test('the API document has both statuses of a success for the calls that create or change (contract §2)', async () => {
  const paths = await read();
  for (const path of ['/api/contact', '/api/organization', '/api/orders', '/api/distributor/order', '/api/product-images/{productCode}']) {
    const { responses } = paths[path]?.['post'] ?? { responses: {} };
    expect(responses['200'], path).toBeDefined();
    expect(responses['200'], path).toEqual(responses['201']);
  }
});

test('the API document says of each call that an error is a sentence, or a problem of RFC 9457 if the client accepts it (contract §2)', async () => {
  const paths = await read();
  for (const { endpoint } of routes) {
    const responses = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]?.responses ?? {};
    const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
    expect(errors.map(([status]) => status)).toEqual(expect.arrayContaining(['400', 'default']));
    for (const [, { content }] of errors) expect(Object.keys(content ?? {})).toEqual(['text/plain', 'application/problem+json']);
  }
});
