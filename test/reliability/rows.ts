// The text with which `npm run prove` lists the rows of docs/reliability.md.
import { rowsOf, type Row } from '../../scripts/reliability-page.ts';
import type { ReliabilityTest } from './reliability-test.ts';

function longForm({ no, command }: Row, proofs: readonly ReliabilityTest[]): string {
  const proof = proofs.find(({ row }) => row === no);
  const needs = proof && proof.needs.length > 0 ? `, needs ${proof.needs.join(' and ')}` : '';
  if (proof) return `${command}: ${proof.what}, about ${proof.minutes} min a database${needs}`;
  return command === '' ? 'npm test alone' : command;
}

/** Returns the text that lists all rows, each with its promise and the tests that prove it. */
export const listOf = (page: string, proofs: readonly ReliabilityTest[]): string =>
  rowsOf(page)
    .map(
      (row) =>
        `${row.no.padEnd(3)} ${row.promise}\n    npm test: ${row.proofs.length === 1 ? '1 proof' : `${row.proofs.length} proofs`}. ${longForm(row, proofs)}.`,
    )
    .join('\n');
