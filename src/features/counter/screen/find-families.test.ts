import { expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import type { CounterOrder } from '../contract.ts';
import { familiesOf, findFamilies, hasName, listedFamilies } from './find-families.ts';

const family = (id: number, lastName: string, values: Partial<CounterOrder> = {}): CounterOrder => ({
  id,
  customerId: id,
  firstName: 'Rivka',
  lastName,
  phone: null,
  email: `${lastName.toLowerCase()}@mail.test`,
  note: null,
  slot: null,
  pickedUpAt: null,
  lines: [{ orderProductId: id, productId: 1, quantity: 1, actuals: [] }],
  payments: [],
  ...values,
});
const PAID = {
  id: 1,
  amount: cents(500),
  feeAmount: cents(0),
  paymentMethod: 'Cash',
  createdAt: new Date(0).toISOString(),
  reversesId: null,
} as const;
const orders = [
  family(512, 'Zadok', { phone: '(551) 555-0184' }),
  family(98, 'Núñez'),
  family(5, 'Abramov'),
  family(1512, 'Adler', { firstName: 'Zev' }),
  family(7, 'Abel', { pickedUpAt: new Date(0).toISOString() }),
  family(8, 'Abadi', { lines: [] }),
  family(6, 'Abba', { lines: [], payments: [PAID] }),
  family(9, 'Łukasz', { lines: [], payments: [PAID] }),
];
const families = listedFamilies(familiesOf(orders), []);
const find = (text: string): number[] => findFamilies(families, text, 8).found.map(({ order }) => order.id);

test.each([
  ['', []],
  ['abr', [5]],
  // Families that have picked up come last, and families with empty orders are left out, unless money must be given back.
  ['lukasz', [9]],
  ['ŁUKASZ', [9]],
  ['ab', [5, 6, 7]],
  ['rivka ab', [5, 6, 7]],
  ['5', [5, 512, 1512]],
  ['512', [512, 1512]],
  ['nunez', [98]],
  ['zev', [1512]],
  ['Adler, Zev', [1512]],
  ['adler,zev', [1512]],
  [',', []],
  ['zadok@mail', [512]],
  ['555-0184', [512]],
  ['5550184', [512]],
  ['551.555.0184', [512]],
  ['50.18', []],
  ['4,5,5', []],
  // With the number sign, only the whole number matches.
  ['#5', [5]],
  ['#51', []],
  ['rivka #5', [5]],
  ['#zadok', []],
  ['551 555', [512]],
  ['nobody', []],
])(
  'the search text %j finds the orders %j by any part of name, phone number, e-mail address and order number (contract §14)',
  (text, ids) => {
    expect(find(text)).toEqual(ids);
  },
);

test.each([
  ['zadok', true],
  ['Nunez', true],
  ['zad', false],
  ['mail', false],
])('whether the name of a family contains the word %s: %s (contract §14)', (word, isName) => {
  expect(hasName(families, word)).toBe(isName);
});
