import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowsOf } from '../../scripts/reliability-page.ts';
import { RELIABILITY_TESTS } from './reliability-tests.ts';
import { listOf } from './rows.ts';

const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
const rows = rowsOf(page);

test('docs/reliability.md has each row from R1 to R50 and each named row once, and ends with the rows about processes and updates', () => {
  const numbers = rows.map(({ no }) => Number(no.slice(1))).filter(Number.isInteger);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  const named = rows.map(({ no }) => no).filter((no) => !/^R\d+$/.test(no));
  expect(new Set(named).size).toBe(named.length);
  expect(named.slice(-7)).toEqual(['processes', 'standby', 'upgrade', 'proxy', 'patroni', 'pgbouncer', 'alerts']);
});

test('every test that npm run prove can run is named in its row of docs/reliability.md, and every named test exists', () => {
  const named = rows.filter(({ command }) => command.startsWith('npm run prove')).map(({ no, command }) => `${no}: ${command}`);
  expect(named.toSorted()).toEqual(RELIABILITY_TESTS.map(({ row }) => `${row}: npm run prove -- ${row}`).toSorted());
});

test('every row of docs/reliability.md names a test or a command, and every test that the page names belongs to a row', () => {
  expect(rows.filter(({ proofs, command }) => proofs.length === 0 && command === '')).toEqual([]);
  expect(rows.reduce((sum, { proofs }) => sum + proofs.length, 0)).toBe(page.match(/^- `.+? › /gm)?.length);
});

test("the list of npm run prove shows a row's promise, its number of tests, and the duration of the long run", () => {
  const tests = '**Tests**\n\n- `a.test.ts › one`\n- `b.test.ts › two › three`';
  const row = `### R17: kills\n\nNothing is lost.\n\n${tests}\n\n**Long test**: \`npm run prove -- R17\`\n`;
  const proof = { row: 'R17', what: '40 kills', needs: ['ps', 'strace'], minutes: 6, run: () => Promise.reject(new Error('not here')) };
  const text = 'npm run prove -- R17: 40 kills, about 6 min a database, needs ps and strace.';
  expect(listOf(row, [proof])).toBe(`R17 Nothing is lost.\n    npm test: 2 proofs. ${text}`);
  expect(listOf('### R1: a\n\nA.\n\n**Tests**\n\n- `a.test.ts › one`\n', [])).toBe('R1  A.\n    npm test: 1 proof. npm test alone.');
});
