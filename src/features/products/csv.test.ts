import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asCsvBytes, catalogueRows, type FileDialect } from '../../../test/fixtures/catalogue.ts';
import { brisket, outcome, wine } from '../../../test/data/product-files.ts';
import { isBlankText } from '../../domain/blank.ts';
import { cents } from '../../domain/money.ts';
import { asProblem } from '../../shared/csv/problems.ts';
import type { Product, ProductFields } from './contract.ts';
import {
  changeOf,
  failedProductsCsv,
  linesSoldOtherwise,
  linesWithLowLimit,
  productsCsv,
  readProducts,
  readProductsInSlices,
  templateCsv,
} from './csv.ts';

const asProducts = (rows: readonly ProductFields[]): Product[] =>
  rows.map((fields, index) => ({
    ...fields,
    id: index + 101,
    distributionId: 1,
    price: cents(fields.unit_price * fields.unit_qty),
    left: null,
  }));

const HEADER = 'id,product_code,name,description,product_group,unit_price,unit_qty,uom,unit_qty_is_estimate,max_order_qty';

describe('the products file', () => {
  it('has the columns that the contract lists, with prices in dollars (contract §4)', () => {
    expect(productsCsv([brisket, wine])).toBe(
      `\uFEFF${HEADER}\r\n7,100,Brisket,First cut,Meat,18.99,5,lb,true,4\r\n8,,Wine,,Meat,18.99,5,lb,false,4\r\n`,
    );
  });

  it('has a column for limits, and importing it restores them; a file without that column changes no limits (contract §12)', () => {
    const limited = { ...brisket, total_limit: 40, left: 40 };
    const file = productsCsv([limited, wine]);
    expect(file).toBe(
      `\uFEFF${HEADER},total_limit\r\n7,100,Brisket,First cut,Meat,18.99,5,lb,true,4,40\r\n8,,Wine,,Meat,18.99,5,lb,false,4,\r\n`,
    );
    const fates = (text: string) =>
      readProducts(text, [limited, wine]).rows.map((row) => ('fields' in row ? row.fields.total_limit : row.kind));
    expect(fates(file)).toEqual(['unchanged', 'unchanged']);
    expect(fates('id,max_order_qty\n7,4')).toEqual(['unchanged']);
    expect(fates('id,total_limit\n7,\n8,3')).toEqual([null, 3]);
    expect(readProducts('id,total_limit\n7,0', [limited]).rows).toMatchObject([{ reasons: ['Limit must be at least 1'] }]);
  });

  it('has a template that contains only the header', () => {
    expect(templateCsv()).toBe(`\uFEFF${HEADER}\r\n`);
    expect(readProducts(templateCsv(), []).rows).toEqual([]);
  });
});

describe('a file of the same 500 products in the dialects of different programs', () => {
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

  test.each(dialects)(
    'is read with the encoding $encoding, a byte order mark: $bom, the separator "$separator" and the line end $lineEnd (spec §5; contract §4)',
    (dialect) => {
      const plan = readProducts(asCsvBytes(rows, dialect), []);
      expect(plan.rows.map((row) => (row.kind === 'add' ? row.fields : row))).toEqual(rows);
    },
  );

  it('changes nothing when the products already have the values of the file', () => {
    const file = asCsvBytes(rows, { encoding: 'windows-1252', separator: ';', lineEnd: '\r\n', bom: false });
    expect(readProducts(file, asProducts(rows)).counts).toEqual({ add: 0, update: 0, unchanged: 500, problem: 0 });
  });
});

describe('a downloaded file imported again', () => {
  it('changes nothing (contract §4)', () => {
    const products = asProducts(catalogueRows(1000, 1));
    expect(readProducts(productsCsv(products), products).counts).toEqual({ add: 0, update: 0, unchanged: 1000, problem: 0 });
  });

  it('changes nothing, whatever characters the texts of the products contain (contract §4)', () => {
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

  it('with one changed cell changes only that product', () => {
    const products = asProducts(catalogueRows(500, 3));
    const changed = productsCsv(products.map((product) => (product.id === 140 ? { ...product, max_order_qty: 33 } : product)));
    const plan = readProducts(changed, products);
    expect(plan.counts).toEqual({ add: 0, update: 1, unchanged: 499, problem: 0 });
    expect(plan.rows.find((row) => row.kind === 'update')).toMatchObject({ product: { id: 140 }, fields: { max_order_qty: 33 } });
  });
});

describe('the product that a row refers to', () => {
  test.each([
    ['its id, even with another code', 'id,product_code,name\n7,555,Brisket\n', [2, 'update', 'Brisket']],
    ['its code, when no product has the id', 'id,product_code,name\n9999,0100,Brisket\n', [2, 'unchanged', 7]],
    ['its code, without an id', 'product_code,name\n100,New name\n', [2, 'update', 'New name']],
    ['nothing, and is new, when neither id nor code is known', 'id,product_code,name\n9999,101,Turkey\n', [2, 'add', 'Turkey']],
    ['nothing, and is new, without id and code', 'name\nTurkey\n', [2, 'add', 'Turkey']],
    [
      'equal values, without id and code',
      'name,unit_price,unit_qty,uom,max_order_qty,product_group\nWine,18.99,5,lb,4,Meat\n',
      [2, 'unchanged', 8],
    ],
  ])('is identified by %s (contract §4)', (_, text, expected) => {
    expect(outcome(text)).toEqual([expected]);
  });

  it('is reported with the column that identified it', () => {
    const file =
      'id,product_code,name,unit_price,unit_qty,uom,max_order_qty,product_group\n7,,Brisket,1,5,lb,4,Meat\n,,Wine,18.99,5,lb,4,Meat\n';
    const keys = (text: string) => readProducts(text, [brisket, wine]).rows.map((row) => ('matchedBy' in row ? row.matchedBy : row.kind));
    expect(keys(file)).toEqual(['id', 'content']);
    expect(keys('product_code,name\n100,Brisket\n200,Turkey\n')).toEqual(['product_code', 'add']);
  });

  it('is ambiguous when several products have the code and the id is missing', () => {
    expect(outcome('product_code,name\n100,X\n', [brisket, { ...wine, product_code: 100 }])).toEqual([
      [2, 'Several products have this product code; give the id of one'],
    ]);
  });

  it('may occur in one row only: a second row for the same product is reported as a problem', () => {
    expect(outcome('id,product_code,name\n7,,A\n,100,B\n,300,C\n,300,D\n')).toEqual([
      [2, 'update', 'A'],
      [3, 'An earlier row is about the same product'],
      [4, 'add', 'C'],
      [5, 'An earlier row is about the same product'],
    ]);
  });

  it('is recognized without a product code when the file is imported again', () => {
    const file = 'name,unit_price\nTurkey,5\nTurkey,5\nDuck,7\n';
    const added = readProducts(file, []).rows.map((row) => (row.kind === 'add' ? row.fields : null));
    const products = asProducts(added.filter((fields) => fields !== null));
    expect(products).toHaveLength(3);
    expect(readProducts(file, products).counts).toEqual({ add: 0, update: 0, unchanged: 3, problem: 0 });
  });
});

describe('the import plan of a products file', () => {
  it('refuses a file without a name column', () => {
    const plan = readProducts('item,price\n1,2\n', []);
    expect(plan.refused).toBe('This file has no name column. Its columns are: item, price.');
    expect(plan.rows).toEqual([]);
  });

  it('counts products that would change between fixed price and price by weight', () => {
    const lamb = { ...brisket, id: 9, product_code: 300 };
    const file = 'id,unit_qty_is_estimate\n7,FALSCH\n8,WAHR\n9,WAHR\n,FALSCH\n';
    const { rows } = readProducts(file, [brisket, wine, lamb]);
    expect(linesSoldOtherwise(rows)).toEqual({ fixed: [2], byWeight: [3] });
  });

  it('finds the lines that set a limit below the ordered units (contract §12)', () => {
    const ordered = { ...brisket, total_ordered: 5 };
    const lamb = { ...ordered, id: 9, product_code: 300, total_limit: 2 };
    const { rows } = readProducts('id,total_limit,max_order_qty\n7,4,\n8,4,\n9,2,7\n', [ordered, wine, lamb]);
    expect(linesWithLowLimit(rows)).toEqual([2]);
    expect(linesWithLowLimit(readProducts('id,total_limit\n7,5\n9,\n', [ordered, lamb]).rows)).toEqual([]);
  });

  it('names ignored and repeated columns (contract §4)', () => {
    const plan = readProducts('Name,Colour,name,Reason\nTurkey,red,Duck,late\n', []);
    expect(plan.ignored).toEqual(['colour']);
    expect(plan.repeated).toEqual(['name']);
    expect(plan.counts).toEqual({ add: 1, update: 0, unchanged: 0, problem: 0 });
  });

  it('lists unreadable rows among the others in the order of the file', () => {
    expect(outcome('name,uom\nA,lb\nB\nC,"lb\nD,lb\n', [])).toEqual([
      [2, 'add', 'A'],
      [3, 'The row has 1 cell where the header has 2'],
      [4, 'A quotation mark is not closed, or not doubled inside its cell'],
      [5, 'add', 'D'],
    ]);
  });

  it('returns failed rows as a file that can be corrected and imported again', () => {
    const { rows } = readProducts("name,unit_qty,colour\n'=Pie,0,red\nCake,1,blue\n", []);
    const failed = failedProductsCsv(rows.flatMap((row) => (row.kind === 'problem' ? [row] : [])));
    expect(failed).toBe(`\uFEFFname,unit_qty,reason\r\n'=Pie,0,Quantity must be at least 1\r\n`);
    expect(outcome(failed, [])).toEqual([[2, 'Quantity must be at least 1']]);
    expect(outcome(failed.replace(',0,', ',3,'), [])).toEqual([[2, 'add', '=Pie']]);
    const unreadable = readProducts('name,unit_qty\n"Pie,1\n', []).rows;
    expect(failedProductsCsv(unreadable.flatMap((row) => (row.kind === 'problem' ? [row] : [])))).toContain(
      '\uFEFFname,unit_qty,reason\r\n,,',
    );
  });

  it('returns failed rows with the columns of the uploaded file only, so that uploading them again changes no other field (contract §4)', () => {
    const { rows } = readProducts('id,name,unit_price\n7,Brisket,20.00\n8,Wine,20.00\n', [brisket, wine]);
    const failed = failedProductsCsv(rows.map((row) => asProblem(row, 'Could not reach the server')));
    expect(readProducts(failed, [brisket, wine]).rows.map((row) => row.kind === 'update' && changeOf(row))).toEqual([
      { unit_price: 2000, before: { unit_price: 1899 } },
      { unit_price: 2000, before: { unit_price: 1899 } },
    ]);
  });
});

it(
  'for a file of 10,000 rows that equal the 10,000 existing products, the import plan contains no change',
  { tags: ['long'] },
  async () => {
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
  },
);
