// Reliability test R39: LibreOffice opens a file with thousands of hostile cells, and splits it at commas, semicolons or tabs. It must find
// no formula. The amounts beside these cells must be numbers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainDollars, cents } from '../../../src/domain/money.ts';
import { writeCsv } from '../../../src/shared/csv/write-csv.ts';
import type { Outcome } from '../reliability-test.ts';

const BEFORE = ['', ' ', '\u00a0', '\u3000', '\t', "'", '"', '\uFEFF', '  ', '\u2003'];
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '=+', '-@'];
const RESTS = ['1+1', 'cmd|"/c calc"!A1', 'HYPERLINK("http://evil.example","x")', 'SUM(A1:A9)', '1', ' 2', '(1)', 'A1', '0x1', '1e3'];
const ENDS = ['', 'x', ',', '"', ';=1', '\t=1', ';"=1', '\n=1'];
const TEXTS = BEFORE.flatMap((blank) => SIGNS.flatMap((sign) => RESTS.flatMap((rest) => ENDS.map((end) => blank + sign + rest + end))));

export async function formulas(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'feastday-formulas-'));
  const columns = [
    { header: 'amount', value: (row: { amount: number }) => plainDollars(cents(row.amount)) },
    { header: 'text', value: (row: { text: string }) => row.text },
  ];
  const rows = TEXTS.map((text, n) => ({ text, amount: n % 2 ? n : -n }));
  await writeFile(join(folder, 'cells.csv'), writeCsv<{ text: string; amount: number }>(columns, rows));
  const count = async (separator: keyof typeof SEPARATORS, found: RegExp): Promise<number> =>
    (await opened(folder, SEPARATORS[separator])).match(found)?.length ?? 0;
  const numbers = await count('comma', /office:value-type="float"/g);
  const formulas = { comma: await count('comma', FORMULA), semicolon: await count('semicolon', FORMULA), tab: await count('tab', FORMULA) };
  await rm(folder, { recursive: true });
  const split = `split at semicolons ${formulas.semicolon}, at tabs ${formulas.tab}`;
  const line = `${TEXTS.length} hostile cells, ${formulas.comma} formulas, ${split}; ${numbers} amounts that are numbers`;
  return { line, holds: formulas.comma + formulas.semicolon + formulas.tab === 0 && numbers >= TEXTS.length };
}

const FORMULA = /table:formula=/g;
/**
 * The options of LibreOffice's CSV filter for each separator. The numbers are the character codes of the separator and the text delimiter,
 * the number of the encoding UTF-8, and the first line to read.
 */
const SEPARATORS = { comma: 'CSV:44,34,76,1', semicolon: 'CSV:59,34,76,1', tab: 'CSV:9,34,76,1' };

/** Converts the file with LibreOffice, and returns its content as LibreOffice has understood it. */
async function opened(folder: string, filter: string): Promise<string> {
  const args = ['--headless', `--infilter=${filter}`, '--convert-to', 'fods', '--outdir', folder, join(folder, 'cells.csv')];
  await once(spawn('soffice', args, { stdio: 'ignore' }), 'exit');
  return await readFile(join(folder, 'cells.fods'), 'utf8');
}
