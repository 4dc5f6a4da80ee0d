import { describe, expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import { MAX_PRODUCTS, type Product } from '../contract.ts';
import { parseValue, textOfValue, type Field } from './columns.ts';
import { keepMine, NO_EDITS, summaryOf, takeTheirs, withoutSaved, withTyped, type Edits } from './edits.ts';

const BRISKET: Product = {
  id: 1,
  distributionId: 9,
  name: 'Brisket',
  description: null,
  unit_price: cents(1250),
  unit_qty: 5,
  price: cents(6250),
  uom: 'lb',
  unit_qty_is_estimate: true,
  max_order_qty: 0,
  product_group: 'Beef',
  product_code: 101,
  total_limit: null,
  left: null,
};
const WINE: Product = { ...BRISKET, id: 2, name: 'Wine', unit_price: cents(900), unit_qty: 1 };
const read = (...products: Product[]) => new Map(products.map((product) => [product.id, product]));
const type = (edits: Edits, product: Product, field: Field, text: string) => withTyped(edits, [{ product, field, text }]);
const summary = (edits: Edits, ...products: Product[]) => summaryOf(edits, read(...(products.length > 0 ? products : [BRISKET, WINE])));

describe('a cell of the product table', () => {
  test.each<[Field, string, unknown]>([
    ['unit_price', '12,50', 1250],
    ['unit_price', '$1,234.5', 123_450],
    ['unit_qty', '5.0', 5],
    ['max_order_qty', '', 0],
    ['total_limit', ' ', null],
    ['product_code', '007', 7],
    ['uom', ' ', null],
    ['name', ' Pie ', 'Pie'],
    ['unit_qty_is_estimate', 'WAHR', true],
    ['unit_qty_is_estimate', 'no', false],
  ])('in the column %s reads the text "%s" as %j', (field, text, value) => {
    expect(parseValue(field, text)).toEqual({ ok: true, value });
  });

  test.each<[Field, string, string]>([
    ['unit_price', '1.234', 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000'],
    ['unit_price', '-1', 'Unit price must be positive'],
    ['unit_qty', '', 'Quantity must be at least 1'],
    ['max_order_qty', 'many', 'Maximum order quantity must be a whole number'],
    ['name', ' ', 'Name is required'],
    ['unit_qty_is_estimate', '', 'By weight must be yes or no'],
  ])('in the column %s explains why the text "%s" cannot be saved', (field, text, problem) => {
    expect(parseValue(field, text)).toEqual({ ok: false, problem });
  });

  test.each<[Field, string]>([
    ['unit_price', '12.50'],
    ['unit_qty_is_estimate', 'Yes'],
    ['max_order_qty', ''],
    ['total_limit', ''],
    ['product_code', '101'],
  ])('in the column %s shows the text "%s", and reads it back as the same value', (field, text) => {
    expect(textOfValue(field, BRISKET[field])).toBe(text);
    expect(parseValue(field, text)).toEqual({ ok: true, value: BRISKET[field] });
  });
});

describe('unsaved changes in the product table', () => {
  test('are sent with the values that they are based on', () => {
    const edits = type(type(type(NO_EDITS, BRISKET, 'unit_price', '13'), BRISKET, 'max_order_qty', '4'), WINE, 'uom', '');
    expect(summary(edits)).toMatchObject({
      changed: 3,
      saved: 3,
      changes: [
        { id: 1, before: { unit_price: 1250, max_order_qty: 0 }, after: { unit_price: 1300, max_order_qty: 4 } },
        { id: 2, before: { uom: 'lb' }, after: { uom: null } },
      ],
    });
  });

  test('do not include a cell in which the saved value was typed again', () => {
    const edits = type(type(NO_EDITS, BRISKET, 'unit_price', '13'), BRISKET, 'unit_price', '12,5');
    expect(edits).toEqual(NO_EDITS);
  });

  test('keep an invalid value; all other changes can still be saved', () => {
    const edits = type(type(NO_EDITS, BRISKET, 'unit_price', 'cheap'), BRISKET, 'name', 'Flat brisket');
    expect(summary(edits)).toMatchObject({
      changed: 2,
      saved: 1,
      problems: [{ id: 1, field: 'unit_price' }],
      changes: [{ id: 1, before: { name: 'Brisket' }, after: { name: 'Flat brisket' } }],
    });
  });

  test('report the error in the changed cell when unit price times quantity is too large', () => {
    const byPrice = type(NO_EDITS, BRISKET, 'unit_price', '10000000');
    const byQuantity = type(type(NO_EDITS, BRISKET, 'unit_qty', '1000000'), BRISKET, 'name', 'Cow');
    expect(summary(byPrice)).toMatchObject({ saved: 0, problems: [{ field: 'unit_price' }] });
    expect(summary(byQuantity)).toMatchObject({ saved: 1, problems: [{ field: 'unit_qty' }] });
  });

  test('of more products than one call may contain are saved in several calls', () => {
    const many = Array.from({ length: MAX_PRODUCTS + 2 }, (_, index) => ({ ...BRISKET, id: index + 1 }));
    const edits = withTyped(
      NO_EDITS,
      many.map((product) => ({ product, field: 'unit_price', text: '13' })),
    );
    const first = summary(edits, ...many);
    expect([first.changed, first.saved, first.changes.length]).toEqual([MAX_PRODUCTS + 2, MAX_PRODUCTS, MAX_PRODUCTS]);
    const saved = new Set(first.changes.map(({ id }) => id));
    const now = many.map((product) => (saved.has(product.id) ? { ...product, unit_price: cents(1300) } : product));
    expect(summary(withoutSaved(edits, read(...now)), ...now)).toMatchObject({ changed: 2, saved: 2, conflicts: [] });
  });

  test('are removed once the saved products have the typed values', () => {
    const edits = type(type(NO_EDITS, BRISKET, 'unit_price', '13'), WINE, 'unit_price', '8');
    const left = withoutSaved(edits, read({ ...BRISKET, unit_price: cents(1300) }, WINE));
    expect([...left.keys()]).toEqual([2]);
    expect(withoutSaved(left, read(BRISKET, WINE))).toBe(left);
  });
});

test('a pasted name with characters that the server removes counts as saved when the products are read again', () => {
  const edits = type(NO_EDITS, BRISKET, 'name', '\u202aFlat brisket\u202c');
  expect(summary(edits).changes).toEqual([{ id: 1, before: { name: 'Brisket' }, after: { name: 'Flat brisket' } }]);
  expect(withoutSaved(edits, read({ ...BRISKET, name: 'Flat brisket' }))).toEqual(NO_EDITS);
});

describe('a value that somebody else has changed meanwhile', () => {
  const edits = type(type(NO_EDITS, BRISKET, 'unit_price', '13'), BRISKET, 'max_order_qty', '4');
  const theirs = { ...BRISKET, unit_price: cents(1400) };

  test('is a conflict, and only the other changes are sent', () => {
    expect(summary(edits, theirs)).toMatchObject({
      conflicts: [{ id: 1, name: 'Brisket', fields: ['unit_price'] }],
      changes: [{ id: 1, before: { max_order_qty: 0 }, after: { max_order_qty: 4 } }],
    });
  });

  test('is no conflict when both people entered the same value', () => {
    const alike = { ...BRISKET, unit_price: cents(1300) };
    expect(summary(withoutSaved(edits, read(alike)), alike)).toMatchObject({ conflicts: [], changed: 1 });
  });

  test('is still a conflict when the cell was empty and the user types into it again', () => {
    const first = type(NO_EDITS, BRISKET, 'total_limit', '40');
    const limited = { ...BRISKET, total_limit: 30 };
    const again = type(first, limited, 'total_limit', '50');
    expect(summary(again, limited)).toMatchObject({ conflicts: [{ id: 1, fields: ['total_limit'] }], changes: [] });
  });

  test("is replaced when the user keeps the user's own value", () => {
    expect(summary(keepMine(edits, theirs), theirs)).toMatchObject({
      conflicts: [],
      changes: [{ before: { unit_price: 1400, max_order_qty: 0 }, after: { unit_price: 1300, max_order_qty: 4 } }],
    });
  });

  test("stays when the user accepts it, and the user's other changes stay too", () => {
    expect(summary(takeTheirs(edits, 1, theirs), theirs)).toMatchObject({
      conflicts: [],
      changed: 1,
      changes: [{ after: { max_order_qty: 4 } }],
    });
  });
});

test('unsaved changes of a product that somebody else has deleted are reported, and the user can only discard them', () => {
  const edits = type(type(NO_EDITS, BRISKET, 'unit_price', '13'), BRISKET, 'max_order_qty', '4');
  expect(summary(edits, WINE)).toMatchObject({ conflicts: [{ id: 1, name: 'Brisket', fields: [] }], changes: [], changed: 2 });
  expect(takeTheirs(edits, 1, undefined)).toEqual(NO_EDITS);
});
