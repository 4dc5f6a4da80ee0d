import { describe, expect, it, test } from 'vitest';
import { brisket, onlyFields, outcome, wine } from '../../../test/data/product-files.ts';
import { changeOf, productsCsv, readProducts, writtenTerms } from './csv.ts';

describe('the values of a row in a products file', () => {
  it('are the default values when the file of a new product lacks the column', () => {
    expect(onlyFields('name\nTurkey\n')).toEqual({
      name: 'Turkey',
      description: null,
      product_group: null,
      product_code: null,
      unit_price: 0,
      unit_qty: 1,
      uom: null,
      unit_qty_is_estimate: false,
      max_order_qty: 0,
      total_limit: null,
    });
  });

  it('do not change an existing product where the column is missing or a number is blank; a blank text empties the field', () => {
    expect(onlyFields('id,name,description,unit_price\n7,Brisket,,\n', [brisket])).toEqual({
      name: 'Brisket',
      description: null,
      product_group: 'Meat',
      product_code: 100,
      unit_price: 1899,
      unit_qty: 5,
      uom: 'lb',
      unit_qty_is_estimate: true,
      max_order_qty: 4,
      total_limit: null,
    });
  });

  it('contain no product code when the cell of the code is blank (spec §5)', () => {
    expect(onlyFields('id,name,product_code\n7,Brisket,\n', [brisket]).product_code).toBeNull();
  });

  test.each([
    ['18.99', 1899],
    ['$1,234.50', 123_450],
    ['"1.234,56"', 123_456],
    [' 12 ', 1200],
    ['"$1,234"', 123_400],
  ])('such as the price %s are read as %i cents (spec §5; contract §4)', (price, expected) => {
    expect(onlyFields(`name;unit_price\nTurkey;${price}\n`).unit_price).toBe(expected);
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    [' True ', true],
    ['WAHR', true],
    ['vrai', true],
    ['yes', true],
    ['1', true],
    ['x', true],
    ['FALSCH', false],
    ['FAUX', false],
    ['0', false],
    ['', false],
  ])('are read in many spellings: %j in the column unit_qty_is_estimate as %s (spec §5)', (text, expected) => {
    expect(onlyFields(`name,unit_qty_is_estimate\nTurkey,${text}\n`).unit_qty_is_estimate).toBe(expected);
  });

  test.each([
    ['5.0', 5],
    ['5,0', 5],
    ['1,000', 1000],
    ['1,000.00', 1000],
    ['1.000,00', 1000],
    ['1 000', 1000],
    ['1\u202f000', 1000],
    ['+7', 7],
    ['0012', 12],
  ])('such as the whole number %s, as spreadsheets write it, are read as %i (spec §5)', (text, expected) => {
    const fields = onlyFields(`name;unit_qty;max_order_qty;product_code\nTurkey;${text};${text};${text}\n`);
    expect([fields.unit_qty, fields.max_order_qty, fields.product_code]).toEqual([expected, expected, expected]);
  });

  it('contain a product code that a spreadsheet wrote with decimals', () => {
    expect(outcome('product_code,unit_price\n100.0,5\n')).toEqual([[2, 'update', 'Brisket']]);
  });

  test.each([
    ['unit_price', '-1', 'Unit price must be positive'],
    ['unit_price', '-$1.50', 'Unit price must be positive'],
    ['unit_price', '$-1.50', 'Unit price must be positive'],
    ['unit_price', '1.234', 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000'],
    ['unit_price', 'free', 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000'],
    ['unit_price', '99999999', 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000'],
    ['unit_qty', '0', 'Quantity must be at least 1'],
    ['unit_qty', '-3', 'Quantity must be at least 1'],
    ['unit_qty', '2.5', 'Quantity must be a whole number'],
    ['unit_qty', '1.000', 'Quantity must be a whole number'],
    ['unit_qty', '1,00,0', 'Quantity must be a whole number'],
    ['unit_qty', '2 lb', 'Quantity must be a whole number'],
    ['unit_qty', '9'.repeat(30), 'Quantity is too large'],
    ['max_order_qty', '-1', 'Maximum order quantity must be non-negative'],
    ['max_order_qty', '1e3', 'Maximum order quantity must be a whole number'],
    ['product_code', 'A12', 'Product code must be a whole number'],
    ['product_code', '-1', 'Product code must be non-negative'],
    ['product_code', '2147483648', 'Product code is too large'],
    ['description', 'x'.repeat(2001), 'Description is longer than 2000 characters'],
    ['uom', 'x'.repeat(201), 'Unit of measure is longer than 200 characters'],
    ['unit_qty_is_estimate', 'maybe', 'unit_qty_is_estimate must be true or false'],
    ['unit_qty_is_estimate', '2', 'unit_qty_is_estimate must be true or false'],
  ])('are refused when the column %s contains %s (spec §5)', (column, value, reason) => {
    expect(outcome(`name;${column}\nTurkey;${value}\n`)).toEqual([[2, reason]]);
  });

  it('require a name of at most 200 characters', () => {
    expect(outcome(`name,uom\n ,lb\n${'x'.repeat(201)},lb\n${'x'.repeat(200)},lb\n`)).toEqual([
      [2, 'Name is required'],
      [3, 'Name is longer than 200 characters'],
      [4, 'add', 'x'.repeat(200)],
    ]);
  });

  it('report all problems of a row at once', () => {
    expect(outcome('name,unit_price,unit_qty\nTurkey,abc,0\n')).toEqual([
      [2, 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000', 'Quantity must be at least 1'],
    ]);
  });
});

describe('a products file with only some of the columns', () => {
  it.each([
    ['id,unit_price\n7,20.00\n', 7],
    ['product_code;unit_price\n100;20,00\n', 7],
  ])('such as %j changes only those columns of existing products (contract §4)', (text, id) => {
    const { rows, counts } = readProducts(text, [brisket, wine]);
    const [row] = rows;
    if (row?.kind !== 'update') throw new Error(JSON.stringify(row));
    expect(row.product.id).toBe(id);
    expect(row.fields).toEqual({ ...row.fields, name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true, unit_price: 2000 });
    expect(counts).toEqual({ add: 0, update: 1, unchanged: 0, problem: 0 });
  });

  it("changes only the fields of its columns, so that other people's changes to other fields stay (contract §4)", () => {
    const changeIn = (file: string) => {
      const [row] = readProducts(file, [limited]).rows;
      return row?.kind === 'update' && changeOf(row);
    };
    const limited = { ...brisket, total_limit: 50 };
    expect(changeIn('id,unit_price,max_order_qty\n7,20.00,\n')).toEqual({ unit_price: 2000, before: { unit_price: 1899 } });
    expect(changeIn('id,description,product_code\n7,,\n')).toEqual({
      description: null,
      product_code: null,
      before: { description: 'First cut', product_code: 100 },
    });
    expect(changeIn(productsCsv([limited]).replace('First cut', 'Thin cut'))).toEqual({
      description: 'Thin cut',
      before: { description: 'First cut' },
    });
  });

  it('requests a price preview only for the existing products whose price terms it changes', () => {
    const { rows } = readProducts('id,name,unit_price\n7,Flat brisket,\n8,Wine,20\n,Merlot,13\n', [brisket, wine]);
    expect(rows.map(({ kind }) => kind)).toEqual(['update', 'update', 'add']);
    expect(writtenTerms(rows)).toEqual([{ id: 8, unit_price: 2000, unit_qty: 5, unit_qty_is_estimate: false }]);
  });

  it('needs a name column to add a new product (contract §4)', () => {
    expect(outcome('id,unit_price\n7,20\n99,5\n')).toEqual([
      [2, 'update', 'Brisket'],
      [3, 'Name is required'],
    ]);
  });
});
