import { expect, test } from 'vitest';
import { isBlankText } from './blank.ts';

test.each([
  null,
  undefined,
  '',
  ' \t\r\n',
  '\u00a0\u2003\u3000',
  '\u200b\u200c\u200d\u2060\ufeff',
  '\u00ad\u202e\u2066',
  '\u3164\uffa0\u115f\u2800',
  '\ufe0f\u{e0020}',
])('the text %j counts as blank, because it has no visible character', (text) => expect(isBlankText(text)).toBe(true));

test.each(['a', '.', '0', ' a ', '\u200bא', '👨\u200d👩\u200d👧', 'é', '\u202eabc'])(
  'the text %j does not count as blank, because it has a visible character',
  (text) => expect(isBlankText(text)).toBe(false),
);
