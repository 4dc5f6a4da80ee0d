import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { amount, Before, Id, nullableText, requiredText } from '../../shared/fields.ts';
import { formatZodError } from './format-zod-error.ts';

const Body = z.object({
  id: Id,
  price: z.optional(amount('Price', 'Price must be non-negative')),
  method: z.optional(z.enum(['Cash', 'Check'])),
  isOpen: z.optional(z.boolean()),
  lines: z.optional(z.array(z.object({ quantity: z.int() }))),
  name: z.optional(requiredText('Name')),
  before: Before,
});
const said = (body: unknown): string | null => {
  const { error } = z.safeParse(Body, body);
  return error ? formatZodError(error) : null;
};

test.each([
  [undefined, 'The body is missing.'],
  [7, 'The body must be an object.'],
  [{}, 'id is missing.'],
  [{ id: '7' }, 'id must be a number.'],
  [{ id: 1.5 }, 'id must be a whole number.'],
  [{ id: 0 }, 'id is too small.'],
  [{ id: 3_000_000_000 }, 'id is too large.'],
  [{ id: 1, price: '5' }, 'Price must be a whole number of cents'],
  [{ id: 1, price: 0.5 }, 'Price must be a whole number of cents'],
  [{ id: 1, price: -1 }, 'Price must be non-negative'],
  [{ id: 1, method: 'Barter' }, 'method must be Cash or Check.'],
  [{ id: 1, isOpen: 'yes' }, 'isOpen must be true or false.'],
  [{ id: 1, lines: {} }, 'lines must be a list.'],
  [{ id: 1, lines: [{ quantity: 1 }, { quantity: null }] }, 'lines[1].quantity must be a number.'],
  [{ id: 1, name: '\u200b \u2060' }, 'Name is required'],
  [{ id: 1, name: ' Wine ', price: 5 }, null],
  [{ id: 1, before: { lastName: {} } }, 'before.lastName cannot be read.'],
  [{ id: 1, before: { ['9'.repeat(41)]: {} } }, 'before cannot be read.'],
  [{ id: 1, before: { 'SELECT\n1 FROM users': {} } }, 'before cannot be read.'],
])('formatZodError describes what is wrong with the body %j as: %s (contract §2)', (body, sentence) => expect(said(body)).toBe(sentence));

test('an optional string without visible characters becomes null, and a string with visible text is kept as typed', () => {
  const Text = nullableText('Description');
  expect(['\u200b', ' \ufeff\n', '', null].map((value) => z.parse(Text, value))).toEqual([null, null, null, null]);
  expect(z.parse(Text, ' 👨\u200d👩 ')).toBe('👨\u200d👩');
});
