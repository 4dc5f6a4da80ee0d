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
  [1001, '/pictures/beef.svg'],
  [1099, '/pictures/beef.svg'],
  [1101, '/pictures/lamb.svg'],
  [1712, '/pictures/matzah.svg'],
  [2314, '/pictures/candles.svg'],
])('the code %i shows %s (spec §2, §3)', (code, src) => {
  expect(pictureOf(code)).toBe(src);
});

test.each([null, 0, -1, 1000, 1100, 2400, 1001.5e9])('without a known code (%s) there is no picture', (code) => {
  expect(pictureOf(code)).toBeNull();
  expect(pictureTextOf(code)).toBeNull();
});
