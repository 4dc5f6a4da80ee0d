import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../../db/demo/catalogue.ts';
import { pictureOf, pictureTextOf } from './pictures.ts';

const fileOf = (src: string | null) => readFileSync(new URL(`../../../public${src}`, import.meta.url), 'utf8');
const pictures = [...new Set(CATALOGUE.map((product) => pictureOf(product.product_code)))];

test('every product code of the demo has a picture and a text for it (spec §3; contract §4)', () => {
  const without = CATALOGUE.filter(({ product_code }) => pictureOf(product_code) === null || pictureTextOf(product_code) === null);
  expect(without).toEqual([]);
});

test('each product group has its own picture', () => {
  const seen = new Set(CATALOGUE.map((product) => `${product.product_group}: ${pictureOf(product.product_code)}`));
  expect(seen.size).toBe(14);
  expect(pictures).toHaveLength(14);
});

test.each(pictures)('%s is a small drawing with a title that fetches and runs nothing', (src) => {
  const drawing = fileOf(src);
  expect(drawing.length).toBeLessThan(6000);
  expect(drawing).toMatch(/<title>.+<\/title>/);
  expect(drawing).not.toMatch(/<script|<image|href="(?!#)|url\((?!#)|\son\w+=/);
});

test.each([
  [1001, '/pictures/beef.svg', 'Drawing of a tied roast on a carving board'],
  [1099, '/pictures/beef.svg', 'Drawing of a tied roast on a carving board'],
  [1101, '/pictures/lamb.svg', 'Drawing of rib chops on a platter'],
  [1201, '/pictures/poultry.svg', 'Drawing of a roast chicken'],
  [1301, '/pictures/deli.svg', 'Drawing of a salami with slices'],
  [1401, '/pictures/fish.svg', 'Drawing of a whole fish with lemon'],
  [1501, '/pictures/dairy-eggs.svg', 'Drawing of a milk bottle and eggs'],
  [1601, '/pictures/cheese.svg', 'Drawing of a wedge of cheese'],
  [1712, '/pictures/matzah.svg', 'Drawing of a stack of matzah'],
  [1801, '/pictures/wine.svg', 'Drawing of a wine bottle and a glass'],
  [1901, '/pictures/produce.svg', 'Drawing of romaine, horseradish and an apple'],
  [2001, '/pictures/pantry.svg', 'Drawing of a spice jar, an oil bottle and a mortar'],
  [2101, '/pictures/prepared.svg', 'Drawing of a steaming soup pot'],
  [2201, '/pictures/sweets.svg', 'Drawing of almond cookies on a stand'],
  [2314, '/pictures/candles.svg', 'Drawing of two candlesticks'],
])('the code %i shows %s (spec §2, §3)', (code, src, text) => {
  expect([pictureOf(code), pictureTextOf(code)]).toEqual([src, text]);
});

test.each([null, 0, -1, 1000, 1100, 2400, 1001.5e9])('without a known code (%s) there is no picture', (code) => {
  expect(pictureOf(code)).toBeNull();
  expect(pictureTextOf(code)).toBeNull();
});
