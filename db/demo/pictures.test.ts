import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDistribution, makeDistributor, makeProduct } from '../../test/data/factories.ts';
import { setupTestApp } from '../../test/test-app.ts';
import { listProductImages } from '../../src/features/products/contract.ts';
import { ROOT } from '../../src/server/root.ts';
import { CATALOGUE } from './catalogue.ts';
import { drawingOf, insertPictures } from './pictures.ts';

const testApp = setupTestApp();
const drawings = [...new Set(CATALOGUE.map((product) => drawingOf(product.product_code)))];

test('every product code of the demo has a picture (spec §3; contract §4)', () => {
  expect(CATALOGUE.filter(({ product_code }) => drawingOf(product_code) === null)).toEqual([]);
});

test("the built-in pictures belong to the demo's distributor only: equal product codes of another distributor have no picture (spec §3; contract §4)", async () => {
  const [demo, real] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  await insertPictures(testApp.db, demo.id);
  await makeProduct(testApp.db, await makeDistribution(testApp.db, real), { name: 'Grape juice', product_code: 1001 });
  const codes = (await (await testApp.as(demo))(listProductImages)).map(({ product_code }) => product_code);
  expect(codes).toEqual(CATALOGUE.map(({ product_code }) => product_code).toSorted((a, b) => a - b));
  expect(await (await testApp.as(real))(listProductImages)).toEqual([]);
});

test('each product group has its own picture', () => {
  const seen = new Set(CATALOGUE.map((product) => `${product.product_group}: ${drawingOf(product.product_code)}`));
  expect(seen.size).toBe(14);
  expect(drawings).toHaveLength(14);
});

test.each(drawings)('the picture file %s is a WebP file of less than 40 kB', (file) => {
  const picture = readFileSync(join(ROOT, file ?? ''));
  expect(picture.toString('latin1', 8, 12)).toBe('WEBP');
  expect(picture.length).toBeLessThan(40_000);
});

test.each([
  [1001, 'beef'],
  [1099, 'beef'],
  [1101, 'lamb'],
  [1201, 'poultry'],
  [1301, 'deli'],
  [1401, 'fish'],
  [1501, 'dairy-eggs'],
  [1601, 'cheese'],
  [1712, 'matzah'],
  [1801, 'wine'],
  [1901, 'produce'],
  [2001, 'pantry'],
  [2101, 'prepared'],
  [2201, 'sweets'],
  [2314, 'candles'],
])('a product with the code %i is shown with the drawing %s (spec §2, §3)', (code, name) => {
  expect(drawingOf(code)).toBe(join('db/demo/pictures', `${name}.webp`));
});

test.each([null, 0, -1, 1000, 1100, 2400, 1001.5e9])('the unknown product code %s has no drawing', (code) => {
  expect(drawingOf(code)).toBeNull();
});
