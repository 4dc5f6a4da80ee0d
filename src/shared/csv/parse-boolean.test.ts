import { expect, test } from 'vitest';
import { parseBoolean } from './parse-boolean.ts';

test.each([
  ['English', 'TRUE', 'FALSE'],
  ['German', 'WAHR', 'FALSCH'],
  ['French', 'VRAI', 'FAUX'],
  ['Spanish', 'VERDADERO', 'FALSO'],
  ['Italian', 'VERO', 'FALSO'],
  ['Dutch', 'WAAR', 'ONWAAR'],
  ['Polish', 'PRAWDA', 'FAŁSZ'],
  ['Portuguese', 'VERDADEIRO', 'FALSO'],
  ['Hebrew', 'אמת', 'שקר'],
  ['Russian', 'ИСТИНА', 'ЛОЖЬ'],
  ['Finnish', 'TOSI', 'EPÄTOSI'.normalize('NFD')],
  ['typed', ' Yes ', 'no'],
  ['digits', '1', '0'],
])('parseBoolean reads the booleans that a spreadsheet in %s writes: %s and %s (spec §5)', (_, yes, no) => {
  expect([parseBoolean(yes), parseBoolean(no)]).toEqual([true, false]);
});

test.each(['', ' ', 'maybe', '2', 'truee', 'about', '-'])('parseBoolean does not read the text %j as a boolean', (text) => {
  expect(parseBoolean(text)).toBeNull();
});
