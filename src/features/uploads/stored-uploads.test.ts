import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { MAX_UPLOADS } from './queries.ts';

const testApp = setupTestApp();

test('a distributor has at most ten stored uploads that changed something and ten that changed nothing, however many it begins and never finishes (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const post = async (url: string, payload: object = {}) => {
    const answer = await testApp.request(distributor, { method: 'POST', url, payload });
    expect(answer.statusCode).toBe(201);
    return answer.json<{ id: number }>().id;
  };
  const count = async (table: 'product_uploads' | 'customer_uploads') =>
    (await sql`SELECT FROM ${sql.table(table)}`.execute(testApp.db)).rows.length;
  const begin = async () => {
    const { id } = await makeDistribution(testApp.db, distributor);
    return { products: `/api/distributions/${id}/products`, uploadId: await post(`/api/distributions/${id}/product-uploads`) };
  };
  for (let upload = 0; upload < 15; upload++) {
    const { products, uploadId } = await begin();
    await post(products, { name: 'Wine', uploadId });
  }
  for (let upload = 0; upload < 15; upload++) await begin();
  expect(await count('product_uploads')).toBe(2 * MAX_UPLOADS);
  for (let upload = 0; upload < 15; upload++) await post('/api/customer-uploads');
  expect(await count('customer_uploads')).toBe(MAX_UPLOADS);
});
