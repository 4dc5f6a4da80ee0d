// R39: a spreadsheet program opens five thousand hostile cells and finds no formula, and the amounts beside them are numbers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainDollars, cents } from '../src/domain/money.ts';
import { writeCsv } from '../src/shared/csv-write.ts';
import type { Outcome } from './proof.ts';

const BEFORE = ['', ' ', '\u00a0', '\u3000', '\t', "'", '"', '\uFEFF', '  ', '\u2003'];
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '=+', '-@'];
const RESTS = ['1+1', 'cmd|"/c calc"!A1', 'HYPERLINK("http://evil.example","x")', 'SUM(A1:A9)', '1', ' 2', '(1)', 'A1', '0x1', '1e3'];
const ENDS = ['', 'x', ',', '"', ';=1'];
const TEXTS = BEFORE.flatMap((blank) => SIGNS.flatMap((sign) => RESTS.flatMap((rest) => ENDS.map((end) => blank + sign + rest + end))));

export async function formulas(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'feastday-formulas-'));
  const columns = [
    { header: 'amount', value: (row: { amount: number }) => plainDollars(cents(row.amount)) },
    { header: 'text', value: (row: { text: string }) => row.text },
  ];
  const rows = TEXTS.map((text, n) => ({ text, amount: n % 2 ? n : -n }));
  await writeFile(join(folder, 'cells.csv'), writeCsv<{ text: string; amount: number }>(columns, rows));
  const child = spawn('soffice', ['--headless', '--convert-to', 'fods', '--outdir', folder, join(folder, 'cells.csv')], {
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const sheet = await readFile(join(folder, 'cells.fods'), 'utf8');
  await rm(folder, { recursive: true });
  const found = sheet.match(/table:formula=/g)?.length ?? 0;
  const numbers = sheet.match(/office:value-type="float"/g)?.length ?? 0;
  const line = `${TEXTS.length} hostile cells, ${found} formulas, ${numbers} amounts that are numbers`;
  return { line, holds: found === 0 && numbers >= TEXTS.length };
}
