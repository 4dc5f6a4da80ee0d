import { describe, expect, it, test } from 'vitest';
import { asCsvBytes, catalogueRows, type FileDialect } from '../../../test/fixtures/catalogue.ts';
import { MAX_CSV_BYTES, csvReadSteps, readCsv, runStepsInSlices } from './read-csv.ts';

const rowsIn = (text: string) => readCsv(text).rows.map((row) => row.cells);
const bytes = (...codes: (number | string)[]) =>
  Uint8Array.from(codes.flatMap((code) => (typeof code === 'string' ? Array.from(code, (char) => char.charCodeAt(0)) : [code])));

describe('the encoding of a file', () => {
  test.each([
    ['utf-8', bytes('name\nK', 0xc3, 0xa4, 'se\n')],
    ['utf-8', bytes(0xef, 0xbb, 0xbf, 'name\nK', 0xc3, 0xa4, 'se\n')],
    ['utf-16le', bytes(0xff, 0xfe, 'n\0a\0m\0e\0\n\0K\0', 0xe4, '\0s\0e\0')],
    ['utf-16be', bytes(0xfe, 0xff, '\0n\0a\0m\0e\0\n\0K\0', 0xe4, '\0s\0e')],
    ['windows-1252', bytes('name\nK', 0xe4, 'se')],
  ])('is recognized as %s', (encoding, file) => {
    const read = readCsv(file);
    expect(read.dialect.encoding).toBe(encoding);
    expect(read.rows).toEqual([{ line: 2, cells: { name: 'Käse' } }]);
  });

  it('may be Windows-1252, whose quotation marks, dash and euro sign are read', () => {
    expect(readCsv(bytes('name\n', 0x93, 'x', 0x94, 0x96, 0x80)).rows[0]?.cells).toEqual({ name: '“x”–€' });
  });
});

describe('the separator of a file', () => {
  test.each([
    [',', 'name,note\nPie,"a;b;c"\n'],
    [';', 'name;note\n"Pie";a,b,c\n'],
    ['\t', 'name\tnote\nPie\ta,b;c\n'],
    [';', '"name";"note, or; remark"\nPie;x\n'],
    [',', 'name\nPie\n'],
    [';', 'name, short;note\nPie;x\nCake;y\n'],
  ])('is detected as %j', (separator, text) => {
    expect(readCsv(text).dialect.separator).toBe(separator);
    expect(readCsv(text).problems).toEqual([]);
  });
});

describe('the rows of a CSV file', () => {
  it('are read by column names in any sequence and case, without the byte order mark (contract §4)', () => {
    expect(rowsIn('\uFEFF Unit_Price ,NAME\n1,Pie\n')).toEqual([{ unit_price: '1', name: 'Pie' }]);
  });

  it('use the first of two columns with the same name; the repetition is reported', () => {
    const read = readCsv('name,Name,,note,\nfirst,second,x,y,z\n');
    expect(read.header).toEqual(['name', 'note']);
    expect(read.repeated).toEqual(['name']);
    expect(read.rows).toEqual([{ line: 2, cells: { name: 'first', note: 'y' } }]);
  });

  it('are numbered by their first line, counting quoted line breaks and blank lines', () => {
    const read = readCsv('name,note\r\nA,"1\r\n2\n3"\r\n\r\n,\r\nB,x\r\n');
    expect(read.rows).toEqual([
      { line: 2, cells: { name: 'A', note: '1\r\n2\n3' } },
      { line: 7, cells: { name: 'B', note: 'x' } },
    ]);
  });

  it('are read from a file with mixed line ends', () => {
    expect(rowsIn('name,note\nA,1\r\nB,"2\r"\r\nC,9"\r\nD,"x"\nE,5')).toEqual([
      { name: 'A', note: '1' },
      { name: 'B', note: '2\r' },
      { name: 'C', note: '9"' },
      { name: 'D', note: 'x' },
      { name: 'E', note: '5' },
    ]);
  });

  it('are read from a file with CR line ends and LF inside a cell', () => {
    expect(rowsIn('name,note\rA,"1\n2"\rB,x\r')).toEqual([
      { name: 'A', note: '1\n2' },
      { name: 'B', note: 'x' },
    ]);
  });

  it('keep a quotation mark within an unquoted cell', () => {
    expect(rowsIn('name,note\nPie pan 9",deep\n')).toEqual([{ name: 'Pie pan 9"', note: 'deep' }]);
  });

  it('lose the apostrophe that prevents a text from being a formula, and no other apostrophe (contract §4)', () => {
    expect(rowsIn("a,b,c,d\n'=1,''=1,'tis,'+1 555\n")).toEqual([{ a: '=1', b: "'=1", c: "'tis", d: '+1 555' }]);
  });

  it('have a column named __proto__ like any other column', () => {
    const [row] = rowsIn('name,__proto__,constructor\nA,x,y\n');
    expect(Object.entries(row ?? {})).toHaveLength(3);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });
});

describe('the unreadable rows of a CSV file', () => {
  it('are listed with line and reason; the other rows are read (contract §4)', () => {
    const read = readCsv('name,note\nA,1\nB\nC,1,2\nD,"open\nE,"x"\nF,"a"b\nG,"ok"\nH,"open to the end\nI,2\n');
    expect(read.problems).toEqual([
      { line: 3, reason: 'The row has 1 cell where the header has 2', cells: { name: 'B', note: '' } },
      { line: 4, reason: 'The row has 3 cells where the header has 2', cells: { name: 'C', note: '1, 2' } },
      { line: 5, reason: 'A quotation mark is not closed, or not doubled inside its cell', cells: { name: '', note: '' } },
      { line: 7, reason: 'A quotation mark is not closed, or not doubled inside its cell', cells: { name: '', note: '' } },
      { line: 9, reason: 'A quotation mark is not closed, or not doubled inside its cell', cells: { name: '', note: '' } },
    ]);
    expect(read.rows.map((row) => [row.line, row.cells['name']])).toEqual([
      [2, 'A'],
      [6, 'E'],
      [8, 'G'],
      [10, 'I'],
    ]);
  });

  it.each([1_000, 1_020, 1_021, 1_022, 1_023, 1_024, 1_025, 1_100, 30_000])(
    'do not include rows with a quoted cell of %i characters',
    (length) => {
      const cell = `${'x'.repeat(length - 6)}"\r\n",`;
      const read = readCsv(`name,note\r\nA,"${cell.replaceAll('"', '""')}"\r\n"${cell.replaceAll('"', '""')}",2\r\nC,3\r\n`);
      expect(read.problems).toEqual([]);
      expect(read.rows).toEqual([
        { line: 2, cells: { name: 'A', note: cell } },
        { line: 4, cells: { name: cell, note: '2' } },
        { line: 6, cells: { name: 'C', note: '3' } },
      ]);
    },
  );

  it('include a row that is longer than the maximum', () => {
    const read = readCsv(`name,note\nA,${'x'.repeat(40_000)}\nB,1\n`);
    expect(read.problems).toEqual([{ line: 2, reason: 'The row is longer than 32,768 characters', cells: { name: '', note: '' } }]);
    expect(read.rows).toEqual([{ line: 3, cells: { name: 'B', note: '1' } }]);
  });

  it('are found even when every row has an opening quotation mark without a closing one', { tags: ['long'] }, () => {
    expect(readCsv(`name,note\n${'A,"x\n'.repeat(20_000)}`).problems).toHaveLength(20_000);
  });
});

const NOT_CSV = 'This is not a CSV file. Choose a file that was saved as CSV.';
const PNG = bytes(0x89, 'PNG\r\n', 0x1a, '\n\0\0\0\rIHDR\0\0', 2, 0x58, '\0\0', 1, 0x90, 8, 6, '\0\0\0');
const JPEG = bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16, 'JFIF', 0, 1, 1, 0, 0, 1);

describe('CSV files that cannot be read', () => {
  test.each([
    ['', 'This file is empty.'],
    ['\uFEFF\r\n\r\n', 'This file is empty.'],
    ['name,"note\nA,1\n', 'The header row cannot be read: A quotation mark is not closed, or not doubled inside its cell.'],
    [`name${',x'.repeat(200)}\nPie`, 'This file has more than 200 columns. Delete the columns that are not needed.'],
    [`name\n${'x\n'.repeat(20_001)}`, 'This file has more than 20,000 rows. Split it into smaller files.'],
    ['x'.repeat(MAX_CSV_BYTES + 1), 'This file is larger than 5 MB. Split it into smaller files.'],
    [bytes('PK', 3, 4, 20, 0), 'This is a spreadsheet, not a CSV file. Save it as CSV and choose that file.'],
    [bytes(0xd0, 0xcf, 0x11, 0xe0), 'This is a spreadsheet, not a CSV file. Save it as CSV and choose that file.'],
    [PNG, NOT_CSV],
    [JPEG, NOT_CSV],
    [Buffer.concat([PNG, Buffer.alloc(MAX_CSV_BYTES)]), NOT_CSV],
    ['%PDF-1.7\n1 0 obj\n', NOT_CSV],
  ])('are refused with a message; case %# (contract §4)', (file, sentence) => {
    const read = readCsv(file);
    expect(read.refused).toBe(sentence);
    expect(read.rows).toEqual([]);
  });

  it('do not include a file with a single control character in a cell', () => {
    expect(rowsIn('name,note\nA,\0\nB,\x1f\n')).toEqual([
      { name: 'A', note: '\0' },
      { name: 'B', note: '\x1f' },
    ]);
  });

  it('do not include a file of 20,000 rows', () => {
    const read = readCsv(`name\n${'x\n'.repeat(20_000)}`);
    expect(read.refused).toBeNull();
    expect(read.rows).toHaveLength(20_000);
  });
});

it(
  'readCsv reads 10,000 rows in three combinations of separator and encoding, in slices with growing progress',
  { tags: ['long'] },
  async () => {
    const rows = catalogueRows(10_000, 7);
    const dialects: FileDialect[] = [
      { encoding: 'utf-8', separator: ',', lineEnd: '\r\n', bom: true },
      { encoding: 'windows-1252', separator: ';', lineEnd: '\n', bom: false },
      { encoding: 'utf-16le', separator: '\t', lineEnd: '\r', bom: true },
    ];
    for (const dialect of dialects) {
      const file = asCsvBytes(rows, dialect);
      const parts: number[] = [];
      let longestStall = 0;
      let last = performance.now();
      const beat = setInterval(() => {
        longestStall = Math.max(longestStall, performance.now() - last);
        last = performance.now();
      }, 1);
      const started = performance.now();
      const read = await runStepsInSlices(csvReadSteps(file), (part) => parts.push(part));
      const took = performance.now() - started;
      longestStall = Math.max(longestStall, performance.now() - last);
      clearInterval(beat);
      process.stdout.write(`${JSON.stringify(dialect)}: ${took.toFixed(0)} ms, longest stall ${longestStall.toFixed(0)} ms\n`);
      expect(read).toEqual(readCsv(file));
      expect(read.rows).toHaveLength(10_000);
      expect(parts.length).toBeGreaterThan(0);
      expect(parts).toEqual(parts.toSorted((a, b) => a - b));
      expect(parts.every((part) => part > 0 && part <= 1)).toBe(true);
    }
  },
);
