// Reads the sections of docs/reliability.md. A section has a heading such as `### R17: title`, a promise, and parts that begin with a label
// such as `**Tests**`. `npm run conformance` checks the tests that the sections name, and `npm run prove` lists the sections.
import { proofOf, type Proof } from './conformance.ts';

export interface Row {
  no: string;
  promise: string;
  /** The tests, or groups of tests, of `npm test` that prove the promise. */
  proofs: readonly Proof[];
  /** The command that runs the long test; an empty string if there is no long test. */
  command: string;
}

const HEADING = /^### (R\d+|[a-z]+): .*\n/;
const LABEL = /^\*\*([A-Z][a-z ]+)\*\*/;

function rowOf(section: string): Row {
  const [, no = ''] = HEADING.exec(section) ?? [];
  const [promise = '', ...labeled] = section.replace(HEADING, '').split(/^(?=\*\*[A-Z])/m);
  const textOf = (label: string): string => labeled.find((part) => LABEL.exec(part)?.[1] === label) ?? '';
  const proofs = textOf('Tests')
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? proofOf(line.slice(2)) : []));
  return { no, promise: promise.trim(), proofs, command: /`([^`]+)`/.exec(textOf('Long test'))?.[1] ?? '' };
}

export const rowsOf = (page: string): Row[] =>
  page
    .split(/^(?=##+ )/m)
    .filter((section) => HEADING.test(section))
    .map(rowOf);
