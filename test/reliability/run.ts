// The script of `npm run prove [-- R17 R48 …] [--on embedded|given] [--runs 0.25]`. It runs the reliability tests of the given rows of
// docs/reliability.md. Without rows, it lists all rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCleanups } from './setup/cleanups.ts';
import { killProducts } from './setup/product.ts';
import { missing, type Database, type ReliabilityTest } from './reliability-test.ts';
import { RELIABILITY_TESTS } from './reliability-tests.ts';
import { listOf } from './rows.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { on: { type: 'string' }, runs: { type: 'string', default: '1' } },
});
const BOTH: readonly Database[] = ['embedded', 'given'];

async function clearAway(): Promise<void> {
  killProducts();
  await runCleanups();
}

async function prove(proof: ReliabilityTest, on: Database): Promise<boolean> {
  const share = Number(values.runs);
  const began = performance.now();
  const tell = (line: string): void => console.error(`${proof.row} on ${on}, ${Math.round((performance.now() - began) / 1000)} s: ${line}`);
  const setting = { on, runs: (full: number) => Math.max(1, Math.ceil(full * share)), tell };
  // A test that takes four times as long as expected is stopped and fails.
  const limit = setTimeout(
    () => {
      console.log(`${proof.row}: not done after ${4 * proof.minutes} minutes`);
      void clearAway().finally(() => process.exit(1));
    },
    proof.minutes * 4 * 60_000,
  );
  try {
    const { line, holds } = await proof.run(setting);
    console.log(`${proof.row}: ${line}${holds ? '' : ' - DOES NOT HOLD'} (${on}, ${Math.round((performance.now() - began) / 1000)} s)`);
    return holds;
  } catch (error) {
    console.log(`${proof.row}: ${error instanceof Error ? error.message : String(error)} - DOES NOT HOLD (${on})`);
    return false;
  } finally {
    clearTimeout(limit);
    await clearAway();
  }
}

async function proveAll(rows: readonly string[], databases: readonly Database[]): Promise<boolean> {
  let holds = true;
  for (const row of rows) {
    const proof = RELIABILITY_TESTS.find((one) => one.row === row);
    const lacking = proof ? missing(proof) : [];
    if (!proof) console.log(`${row} has no long proof: npm run prove lists those there are.`);
    else if (lacking.length > 0) console.log(`${row} needs ${lacking.join(' and ')}, and this machine has it not.`);
    if (!proof || lacking.length > 0) holds = false;
    else for (const on of databases) if ((proof.on ?? on) === on) holds = (await prove(proof, on)) && holds;
  }
  return holds;
}

const databases = BOTH.filter((on) => values.on === undefined || values.on === on);
process.once('SIGINT', () => void clearAway().finally(() => process.exit(130)));
if (positionals.length === 0)
  console.log(listOf(readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8'), RELIABILITY_TESTS));
else if (databases.length === 0) console.log('--on is embedded or given.');
const isAsked = positionals.length > 0;
process.exit(!isAsked || (databases.length > 0 && (await proveAll(positionals, databases))) ? 0 : 1);
