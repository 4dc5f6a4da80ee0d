import { describe, expect, test } from 'vitest';
import type { Product } from '../contract.ts';
import { pastedCells, placeCells } from './clipboard.ts';
import { columnsFor } from './columns.ts';

describe('cells pasted from a spreadsheet', () => {
  test.each<[string, string, string[][]]>([
    ['a column of Excel', '12.50\r\n9\r\n', [['12.50'], ['9']]],
    ['a column of LibreOffice', '12,50\n9', [['12,50'], ['9']]],
    [
      'a block',
      'Brisket\t12.50\r\nWine\t9\r\n',
      [
        ['Brisket', '12.50'],
        ['Wine', '9'],
      ],
    ],
    ['empty cells', '1\n\n\t\n3\n', [['1'], [''], ['', ''], ['3']]],
    [
      'quoted line breaks and tabs',
      '"first\ncut"\t"a\tb"\nWine\t\n',
      [
        ['first\ncut', 'a\tb'],
        ['Wine', ''],
      ],
    ],
    [
      'quotation marks in a text',
      '"Best" wine\t2\n6" knife\t1\n',
      [
        ['"Best" wine', '2'],
        ['6" knife', '1'],
      ],
    ],
    [
      'a quotation mark that is never closed',
      '"Best wine\t2\nPie\t1',
      [
        ['"Best wine', '2'],
        ['Pie', '1'],
      ],
    ],
    ['a guarded formula of a downloaded file', "'=Pie\n", [['=Pie']]],
    ['one value', 'Pie', [['Pie']]],
    ['nothing', '', [['']]],
  ])('are read from %s', (_, text, cells) => {
    expect(pastedCells(text)).toEqual(cells);
  });
});

describe('a pasted block', () => {
  const rows = ['Brisket', 'Chuck', 'Wine'].map((name, index) => ({ id: index + 1, name }) as Product);
  const placed = (cells: string[][], row: number, column: number) => {
    const { typed, ignored } = placeCells(cells, { rows, columns: columnsFor({ hasLimits: true }) }, { row, column });
    return [typed.map(({ product, field, text }) => `${product.name} ${field} ${text}`), ignored];
  };

  test('fills the cells below and after the active cell', () => {
    expect(
      placed(
        [
          ['11', '2'],
          ['12', '3'],
        ],
        1,
        3,
      ),
    ).toEqual([['Chuck unit_price 11', 'Chuck unit_qty 2', 'Wine unit_price 12', 'Wine unit_qty 3'], 0]);
  });

  test('ignores cells below the last product, beyond the last column or in a computed column', () => {
    expect(placed([['1'], ['2'], ['3']], 1, 3)).toEqual([['Chuck unit_price 1', 'Wine unit_price 2'], 1]);
    expect(placed([['yes', '$20.00', '4', '5', '6', '7']], 0, 6)).toEqual([
      ['Brisket unit_qty_is_estimate yes', 'Brisket max_order_qty 4', 'Brisket total_limit 5'],
      3,
    ]);
  });
});
