import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';

test.each(['Abramov, Rivka', 'Brisket 1/2', 'José Ñuñez', 'Ольга', '牛肉', '🥩 5.5 lb', ''])('the text %j stays as it is', (text) => {
  expect(isolated(text)).toBe(text);
});

test.each(['כהן, שרה', 'Brisket חזה 2 lb', 'حداد', '٣', '\ufb2a', 'Rivka 9\u061c', '\u200e555-0100', 'a\u200f', 'a\u202e'])(
  'the text %j is enclosed in the characters that isolate its direction (reliability abuse)',
  (text) => {
    expect(isolated(text)).toBe(`\u2068${text}\u2069`);
  },
);
