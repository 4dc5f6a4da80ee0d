import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { readCsv } from './read-csv.ts';
import { writeCsv } from './write-csv.ts';

interface Note {
  id: number;
  text: string | number | boolean | null;
}
const columns = [
  { header: 'id', value: (note: Note) => note.id },
  { header: 'text', value: (note: Note) => note.text },
];
const file = (...texts: Note['text'][]) =>
  writeCsv(
    columns,
    texts.map((text, index) => ({ id: index + 1, text })),
  );

it('a written CSV file has a byte order mark, CRLF line ends, and quotation marks where RFC 4180 requires them (contract §4)', () => {
  expect(file('plain', 'a,b', 'say "hi"', 'two\nlines', ' edge ')).toBe(
    '\uFEFFid,text\r\n1,plain\r\n2,"a,b"\r\n3,"say ""hi"""\r\n4,"two\nlines"\r\n5," edge "\r\n',
  );
});

it('a written CSV file without rows contains only the header', () => {
  expect(file()).toBe('\uFEFFid,text\r\n');
});

it('a written CSV file contains numbers as numbers, including negative ones (contract §4)', () => {
  expect(file(-5, 12.5, true, null, '1234.50', '-3.10')).toBe(
    '\uFEFFid,text\r\n1,-5\r\n2,12.5\r\n3,true\r\n4,\r\n5,1234.50\r\n6,-3.10\r\n',
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1 555 0100', "'+1 555 0100"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\tplain', `"'\tplain"`],
  ['\rplain', `"'\rplain"`],
  ['  =1', "'  =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\n=1', `"'\n'=1"`],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ["'quoted'", "'quoted'"],
  ['a=1', 'a=1'],
  ['Rivka;=HYPERLINK(A1);', `"Rivka;'=HYPERLINK(A1);"`],
  ['Rivka\t=1', `"Rivka\t'=1"`],
  ['Rivka, =1', `"Rivka,' =1"`],
  ['Rivka\n-1', `"Rivka\n'-1"`],
  ['Rivka;"=1', `"Rivka;'""=1"`],
  ["Rivka;'=1", `"Rivka;''=1"`],
  ['Rivka; a=1', '"Rivka; a=1"'],
])('writeCsv writes the text %j as the cell %j, which no spreadsheet executes as a formula (contract §4)', (text, cell) => {
  expect(file(text)).toBe(`\uFEFFid,text\r\n1,${cell}\r\n`);
});

it('a header of a CSV file that looks like a formula gets an apostrophe', () => {
  expect(writeCsv([{ header: '=evil', value: () => 1 }], [null])).toBe("\uFEFF'=evil\r\n1\r\n");
});

test('5,000 hostile texts result in no cell that a spreadsheet executes as a formula (contract §4; reliability R39)', () => {
  const before = ['', ' ', '\u00a0', '\u3000', '\t', '\r', '\n', "'", "''", '\uFEFF'];
  const begin = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '=+', '-@'];
  const rest = ['1+1', 'cmd|"/c calc"!A1', 'HYPERLINK("http://evil.example","x")', 'SUM(A1:A9)', '1', ' 2', '(1)', 'A1', '0x1', '1e3'];
  const texts = before.flatMap((blank) =>
    begin.flatMap((sign) => rest.flatMap((tail) => ['', 'x', ',', '"', '\n='].map((end) => blank + sign + tail + end))),
  );
  expect(texts).toHaveLength(5000);
  const { data } = Papa.parse<string[]>(file(...texts).slice(1), { newline: '\r\n' });
  const cells = data.slice(1, -1).map(([, cell = '']) => cell);
  expect(cells).toHaveLength(5000);
  // Returns whether a spreadsheet would treat the cell as a formula. A cell that begins with an apostrophe is a string, and a negative
  // number is not a formula.
  const isFormula = (cell: string) => /^[\s\uFEFF]*[=+\-@＝＋－＠\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell);
  expect(cells.filter(isFormula)).toEqual([]);
});

describe('a CSV file written by the application', () => {
  // Splits a written file at each separator, as another program would. The byte-order mark is removed first.
  const fieldsBetween = (written: string, separator: RegExp) => written.slice(1).split(separator);
  const hostile = fc.string({
    unit: fc.constantFrom(';', '\t', '\n', '\r', ',', '"', "'", '=', '-', '＝', ' ', '\u00a0', 'a'),
    maxLength: 12,
  });

  test.each([
    ['a semicolon', /[;\r\n]/],
    ['a tab', /[\t\r\n]/],
  ])('contains no formula for a program that splits cells at %s, whether or not the cells are quoted (contract §4)', (_, separator) => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (texts) => {
        const fields = fieldsBetween(file(...texts), separator);
        expect(fields.filter((field) => /^["\s]*[=+\-@＝＋－＠]/.test(field))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a written file is read back unchanged (contract §4)', () => {
  const hostile = fc.string({
    unit: fc.constantFrom("'", '"', '=', '+', '-', '@', '\t', '\r', '\n', ' ', ',', ';', '1', 'a', '\u00a0', '\uFEFF', '＝'),
  });
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), hostile);

  const comesBack = (texts: string[]) => {
    const written = file(...texts);
    const fromText = readCsv(written);
    const fromBytes = readCsv(new TextEncoder().encode(written));
    expect(fromText.problems).toEqual([]);
    expect(fromText.rows.map((row) => row.cells['text'])).toEqual(texts);
    expect(fromBytes.rows).toEqual(fromText.rows);
  };

  it('for every list of strings', () => {
    fc.assert(fc.property(fc.array(anyText, { minLength: 1, maxLength: 20 }), comesBack), { numRuns: 3_000 });
  });

  it('for every non-blank string in its own column', () => {
    const alone = [{ header: 'text', value: (text: string) => text }];
    fc.assert(
      fc.property(
        anyText.filter((text) => text.trim() !== ''),
        (text) => {
          expect(readCsv(writeCsv(alone, [text])).rows).toEqual([{ line: 2, cells: { text } }]);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
