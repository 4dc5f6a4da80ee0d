import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asCsvBytes, catalogueRows, type FileDialect } from '../../../test/fixtures/catalogue.ts';
import { isBlankText } from '../../domain/blank.ts';
import { cents } from '../../domain/money.ts';
import type { Product, ProductFields } from './contract.ts';
import { failedProductsCsv, productsCsv, readProducts, readProductsInSlices, rowsOfUnclearEstimate, templateCsv } from './csv.ts';

const asProducts = (rows: readonly ProductFields[]): Product[] =>
  rows.map((fields, index) => ({ ...fields, id: index + 101, distributionId: 1, price: cents(fields.unit_price * fields.unit_qty) }));

const brisket: Product = {
  id: 7,
  distributionId: 1,
  name: 'Brisket',
  description: 'First cut',
  unit_price: cents(1899),
  unit_qty: 5,
  price: cents(9495),
  uom: 'lb',
  unit_qty_is_estimate: true,
  max_order_qty: 4,
  product_group: 'Meat',
  product_code: 100,
};
const wine: Product = { ...brisket, id: 8, name: 'Wine', description: null, unit_qty_is_estimate: false, product_code: null };
const HEADER = 'id,product_code,name,description,product_group,unit_price,unit_qty,uom,unit_qty_is_estimate,max_order_qty';

const outcome = (text: string, existing: Product[] = [brisket, wine]) =>
  readProducts(text, existing).rows.map((row) => {
    if (row.kind === 'problem') return [row.line, ...row.reasons];
    return row.kind === 'unchanged' ? [row.line, 'unchanged', row.product.id] : [row.line, row.kind, row.fields.name];
  });
const onlyFields = (text: string, existing: Product[] = []) => {
  const [row] = readProducts(text, existing).rows;
  if (row?.kind !== 'add' && row?.kind !== 'update') throw new Error(JSON.stringify(row));
  return row.fields;
};

describe('writing', () => {
  it('writes the columns of the contract, prices in dollars (contract §4)', () => {
    expect(productsCsv([brisket, wine])).toBe(
      `\uFEFF${HEADER}\r\n7,100,Brisket,First cut,Meat,18.99,5,lb,true,4\r\n8,,Wine,,Meat,18.99,5,lb,false,4\r\n`,
    );
  });

  it('offers a template of the header alone', () => {
    expect(templateCsv()).toBe(`\uFEFF${HEADER}\r\n`);
    expect(readProducts(templateCsv(), []).rows).toEqual([]);
  });
});

describe('the same 500 products from every program', () => {
  const rows = catalogueRows(500, 2027);
  const encodings = [
    { encoding: 'utf-8', bom: false },
    { encoding: 'utf-8', bom: true },
    { encoding: 'utf-16le', bom: true },
    { encoding: 'utf-16be', bom: true },
    { encoding: 'windows-1252', bom: false },
  ] as const;
  const dialects: FileDialect[] = encodings.flatMap((encoding) =>
    ([',', ';', '\t'] as const).flatMap((separator) =>
      (['\r\n', '\n', '\r'] as const).map((lineEnd) => ({ ...encoding, separator, lineEnd })),
    ),
  );

  test.each(dialects)('$encoding, BOM $bom, separator "$separator", line end $lineEnd (spec §5; contract §4)', (dialect) => {
    const plan = readProducts(asCsvBytes(rows, dialect), []);
    expect(plan.rows.map((row) => (row.kind === 'add' ? row.fields : row))).toEqual(rows);
  });

  it('are all unchanged when they come a second time', () => {
    const file = asCsvBytes(rows, { encoding: 'windows-1252', separator: ';', lineEnd: '\r\n', bom: false });
    expect(readProducts(file, asProducts(rows)).counts).toEqual({ add: 0, update: 0, unchanged: 500, problem: 0 });
  });
});

describe('downloaded and uploaded again', () => {
  it('changes nothing (contract §4)', () => {
    const products = asProducts(catalogueRows(1000, 1));
    expect(readProducts(productsCsv(products), products).counts).toEqual({ add: 0, update: 0, unchanged: 1000, problem: 0 });
  });

  it('changes nothing whatever the texts are (contract §4)', () => {
    const letters = fc.constantFrom('\uFFA0', "'", '"', '=', '-', '@', '\t', '\r', '\n', ' ', ',', ';', '1', 'é', '“', 'a');
    const text = fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'grapheme' }));
    const named = fc.string({ unit: letters, minLength: 1 }).filter((name) => !isBlankText(name));
    const product = fc.record({ name: named, description: text, product_group: text, uom: text, product_code: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(product, { minLength: 1, maxLength: 8 }), (texts) => {
        const products = texts.map((some, index): Product => ({ ...brisket, ...some, id: index + 1 }));
        expect(readProducts(productsCsv(products), products).counts).toEqual({ add: 0, update: 0, unchanged: texts.length, problem: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('finds the one cell that was changed', () => {
    const products = asProducts(catalogueRows(500, 3));
    const changed = productsCsv(products.map((product) => (product.id === 140 ? { ...product, max_order_qty: 33 } : product)));
    const plan = readProducts(changed, products);
    expect(plan.counts).toEqual({ add: 0, update: 1, unchanged: 499, problem: 0 });
    expect(plan.rows.find((row) => row.kind === 'update')).toMatchObject({ product: { id: 140 }, fields: { max_order_qty: 33 } });
  });
});

describe('which product a row is about', () => {
  test.each([
    ['its id, even with another code', 'id,product_code,name\n7,555,Brisket\n', [2, 'update', 'Brisket']],
    ['else its code', 'id,product_code,name\n9999,0100,Brisket\n', [2, 'unchanged', 7]],
    ['its code, without an id', 'product_code,name\n100,New name\n', [2, 'update', 'New name']],
    ['a new one otherwise', 'id,product_code,name\n9999,101,Turkey\n', [2, 'add', 'Turkey']],
    ['a new one without id and code', 'name\nTurkey\n', [2, 'add', 'Turkey']],
    [
      'one that says the same, without id and code',
      'name,unit_price,unit_qty,uom,max_order_qty,product_group\nWine,18.99,5,lb,4,Meat\n',
      [2, 'unchanged', 8],
    ],
  ])('%s (contract §4)', (_, text, expected) => {
    expect(outcome(text)).toEqual([expected]);
  });

  it('is said with the key that told', () => {
    const file =
      'id,product_code,name,unit_price,unit_qty,uom,max_order_qty,product_group\n7,,Brisket,1,5,lb,4,Meat\n,,Wine,18.99,5,lb,4,Meat\n';
    const keys = (text: string) => readProducts(text, [brisket, wine]).rows.map((row) => ('matchedBy' in row ? row.matchedBy : row.kind));
    expect(keys(file)).toEqual(['id', 'content']);
    expect(keys('product_code,name\n100,Brisket\n200,Turkey\n')).toEqual(['product_code', 'add']);
  });

  it('is a question when several products have the code and the id is not given', () => {
    expect(outcome('product_code,name\n100,X\n', [brisket, { ...wine, product_code: 100 }])).toEqual([
      [2, 'Several products have this product code; give the id of one'],
    ]);
  });

  it('may be asked once: a second row about the same product is a problem', () => {
    expect(outcome('id,product_code,name\n7,,A\n,100,B\n,300,C\n,300,D\n')).toEqual([
      [2, 'update', 'A'],
      [3, 'An earlier row is about the same product'],
      [4, 'add', 'C'],
      [5, 'An earlier row is about the same product'],
    ]);
  });

  it('repeated, an upload of products without codes adds nothing', () => {
    const file = 'name,unit_price\nTurkey,5\nTurkey,5\nDuck,7\n';
    const added = readProducts(file, []).rows.map((row) => (row.kind === 'add' ? row.fields : null));
    const products = asProducts(added.filter((fields) => fields !== null));
    expect(products).toHaveLength(3);
    expect(readProducts(file, products).counts).toEqual({ add: 0, update: 0, unchanged: 3, problem: 0 });
  });
});

describe('values', () => {
  it('come from the defaults where a new product lacks a column', () => {
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
    });
  });

  it('stay as they are where an update lacks a column or leaves a number blank, and empty where a text is blank', () => {
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
    });
  });

  it('have no product code where it is blank (spec §5)', () => {
    expect(onlyFields('id,name,product_code\n7,Brisket,\n', [brisket]).product_code).toBeNull();
  });

  test.each([
    ['18.99', 1899],
    ['$1,234.50', 123_450],
    ['"1.234,56"', 123_456],
    [' 12 ', 1200],
    ['"$1,234"', 123_400],
  ])('a price of %s is %i cents (spec §5; contract §4)', (price, expected) => {
    expect(onlyFields(`name;unit_price\nTurkey;${price}\n`).unit_price).toBe(expected);
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    [' True ', true],
    ['yes', false],
    ['1', false],
    ['', false],
  ])('unit_qty_is_estimate %j is %s (spec §5)', (text, expected) => {
    expect(onlyFields(`name,unit_qty_is_estimate\nTurkey,${text}\n`).unit_qty_is_estimate).toBe(expected);
  });

  test('what may mean yes in unit_qty_is_estimate and is not true is found, where nothing changes too (spec §5)', () => {
    const says = ['yes', 'TRUE', 'no', '', ' WAHR ', '0', 'false'].map((text, n) => `,P${n},${text}\n`).join('');
    const { rows } = readProducts(`id,name,unit_qty_is_estimate\n8,Wine,x\n,,yes\n${says}`, [wine]);
    expect(rowsOfUnclearEstimate(rows).map(({ line, typed }) => `${line} ${typed}`)).toEqual(['2 x', '4 yes', '8 WAHR']);
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
    ['unit_qty', '2.0', 'Quantity must be a whole number'],
    ['unit_qty', '2 lb', 'Quantity must be a whole number'],
    ['unit_qty', '9'.repeat(30), 'Quantity is too large'],
    ['max_order_qty', '-1', 'Maximum order quantity must be non-negative'],
    ['max_order_qty', '1e3', 'Maximum order quantity must be a whole number'],
    ['product_code', 'A12', 'Product code must be a whole number'],
    ['product_code', '-1', 'Product code must be non-negative'],
    ['product_code', '2147483648', 'Product code is too large'],
    ['description', 'x'.repeat(2001), 'Description is longer than 2000 characters'],
    ['uom', 'x'.repeat(201), 'Unit of measure is longer than 200 characters'],
  ])('%s %s is refused (spec §5)', (column, value, reason) => {
    expect(outcome(`name;${column}\nTurkey;${value}\n`)).toEqual([[2, reason]]);
  });

  it('need a name of at most 200 characters', () => {
    expect(outcome(`name,uom\n ,lb\n${'x'.repeat(201)},lb\n${'x'.repeat(200)},lb\n`)).toEqual([
      [2, 'Name is required'],
      [3, 'Name is longer than 200 characters'],
      [4, 'add', 'x'.repeat(200)],
    ]);
  });

  it('may all be wrong at once', () => {
    expect(outcome('name,unit_price,unit_qty\nTurkey,abc,0\n')).toEqual([
      [2, 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000', 'Quantity must be at least 1'],
    ]);
  });
});

describe('the plan', () => {
  it('refuses a file without a name column', () => {
    const plan = readProducts('product_code,price\n1,2\n', []);
    expect(plan.refused).toBe('This file has no name column. Its columns are: product_code, price.');
    expect(plan.rows).toEqual([]);
  });

  it('names the columns that it ignores and those that come twice (contract §4)', () => {
    const plan = readProducts('Name,Colour,name,Reason\nTurkey,red,Duck,late\n', []);
    expect(plan.ignored).toEqual(['colour']);
    expect(plan.repeated).toEqual(['name']);
    expect(plan.counts).toEqual({ add: 1, update: 0, unchanged: 0, problem: 0 });
  });

  it('lists unreadable rows among the others, in the order of the file', () => {
    expect(outcome('name,uom\nA,lb\nB\nC,"lb\nD,lb\n', [])).toEqual([
      [2, 'add', 'A'],
      [3, 'The row has 1 cell where the header has 2'],
      [4, 'A quotation mark is not closed, or not doubled inside its cell'],
      [5, 'add', 'D'],
    ]);
  });

  it('gives failed rows back as a file that can be mended and read again', () => {
    const { rows } = readProducts("name,unit_qty,colour\n'=Pie,0,red\nCake,1,blue\n", []);
    const failed = failedProductsCsv(rows.flatMap((row) => (row.kind === 'problem' ? [row] : [])));
    expect(failed).toBe(`\uFEFF${HEADER},reason\r\n,,'=Pie,,,,0,,,,Quantity must be at least 1\r\n`);
    expect(outcome(failed, [])).toEqual([[2, 'Quantity must be at least 1']]);
    expect(outcome(failed.replace(',0,', ',3,'), [])).toEqual([[2, 'add', '=Pie']]);
  });
});

it('reads 10,000 rows against 10,000 products', async () => {
  const rows = catalogueRows(10_000, 5);
  const file = asCsvBytes(rows, { encoding: 'utf-8', separator: ',', lineEnd: '\r\n', bom: true });
  const products = asProducts(rows);
  const started = performance.now();
  const plan = await readProductsInSlices(file, products);
  const read = performance.now();
  readProducts(file, []);
  process.stdout.write(
    `10,000 products: ${(read - started).toFixed(0)} ms in slices, ${(performance.now() - read).toFixed(0)} ms in one go\n`,
  );
  expect(plan.counts).toEqual({ add: 0, update: 0, unchanged: 10_000, problem: 0 });
});
