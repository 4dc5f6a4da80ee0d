// Reads the tables `| No. | Statement | Proof |` of docs/conformance and the tests named in docs/security.md, and compares them, and the
// tests of the rows of docs/reliability.md (reliability-page.ts), with the existing tests.

export interface Proof {
  file: string;
  /** The test's title as written in the source; `%s`, `$name` and `${…}` match any value. */
  title: string;
}
export interface Statement {
  no: string;
  /** The cited section, such as `spec §2` or `contract §2`. Null for statements found in reviews, whose tests need not cite a section. */
  section: string | null;
  text: string;
  proofs: readonly Proof[];
  /** Says how a statement was checked when no test can prove it, or what is missing. Null when tests prove the statement. */
  inWords: { kind: 'checked' | 'open'; how: string } | null;
}

/** A test as a test runner reports it. `title` consists of the groups and the test's title, joined by ' › '. */
export interface Test {
  file: string;
  title: string;
  /** Null when the test was skipped. */
  passed: boolean | null;
  /** Whether npm test leaves this test to npm run long-tests. */
  isLong?: boolean;
  /** The message of a failure. */
  why?: string;
}

const CELL = /(?<!\\)\|/;
const NUMBER = /^([SC])(\d+)\.\d+$|^[AU]\d+$/;
const PROOF = /^`(.+?) › (.+)`$/;

const unescaped = (cell: string): string => cell.trim().replaceAll('\\|', '|');

function statementOf(cells: readonly string[]): Statement | null {
  const [no = '', text = '', proof = ''] = cells.map(unescaped);
  const numbered = NUMBER.exec(no);
  if (!numbered) return null;
  const [, document, place] = numbered;
  const section = document === undefined ? null : `${document === 'S' ? 'spec' : 'contract'} §${place}`;
  const [, kind, how = ''] = /^(checked|open): (.+)$/.exec(proof) ?? [];
  const proofs = kind === undefined ? proof.split('<br>').flatMap((one) => proofOf(one)) : [];
  const inWords = kind === undefined ? null : { kind: kind as 'checked' | 'open', how };
  return { no, section, text, proofs, inWords };
}

/** Returns the test that a text such as `` `file › title` `` names, or nothing. */
export function proofOf(text: string): Proof[] {
  const [, file, title] = PROOF.exec(text.trim()) ?? [];
  return file === undefined || title === undefined ? [] : [{ file, title }];
}

/** Returns the statements of a page; lines outside of the tables are ignored. */
export const statementsIn = (page: string): Statement[] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => statementOf(line.split(CELL).slice(1, -1)))
    .filter((statement) => statement !== null);

const PLACEHOLDER = /%[sdifjoOc#]|\$\{[^}]*\}|\$[A-Za-z][\w.]*/;

/** Returns a pattern that matches the tests with this title, and all tests in a group with this title. */
function patternOf(title: string): RegExp {
  const parts = title.split(PLACEHOLDER).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return RegExp(`^${parts.join('[\\s\\S]*')}(?: › [\\s\\S]*)?$`);
}

/** Whether a title cites a section, as in '(spec §2, §5; contract §4)'. */
export function cites(title: string, section: string): boolean {
  const [document = '', number = ''] = section.split(' ');
  const lists = [...title.matchAll(/\b(spec|contract) ((?:§\d+(?:, | and )?)+)/g)];
  return lists.some(([, named, list = '']) => named === document && list.split(/, | and /).includes(number));
}

function runProblem({ file, title }: Proof, tests: readonly Test[]): string | null {
  const pattern = patternOf(title);
  const found = tests.filter((test) => test.file === file && pattern.test(test.title));
  if (found.length === 0) return `there is no test "${title}" in ${file}`;
  if (found.some((test) => test.passed === false)) return `"${title}" in ${file} did not pass`;
  return found.some((test) => test.passed === true || test.isLong) ? null : `"${title}" in ${file} did not run`;
}

function proofProblem(proof: Proof, section: string | null, tests: readonly Test[]): string | null {
  const problem = runProblem(proof, tests);
  if (problem !== null) return problem;
  return section === null || cites(proof.title, section) ? null : `"${proof.title}" in ${proof.file} does not cite ${section}`;
}

/** Returns one message per test named in a row of docs/reliability.md that does not exist, has failed or was not run. */
export const reliabilityProblems = (rows: readonly { no: string; proofs: readonly Proof[] }[], tests: readonly Test[]): string[] =>
  rows.flatMap(({ no, proofs }) =>
    proofs
      .map((proof) => runProblem(proof, tests))
      .filter((problem) => problem !== null)
      .map((problem) => `${no}: ${problem}`),
  );

/**
 * Returns one message per requirement that docs/security.md marks as kept without naming a test, and one per test named in its table that
 * is missing or has failed.
 */
export function securityProblems(page: string, tests: readonly Test[]): string[] {
  const rows = page.split('\n').filter((line) => /^\| \d+\.\d/.test(line));
  if (rows.length === 0) return ['docs/security.md has no requirements'];
  return rows.flatMap((row) => {
    const [requirement = '', verdict = '', , named = ''] = row.split(CELL).slice(1, -1).map(unescaped);
    const parts = named === '–' ? [] : named.split('<br>');
    const proofs = parts.flatMap(proofOf);
    const problems = [
      verdict.startsWith('kept') && parts.length === 0 && 'is kept, but names no test',
      proofs.length < parts.length && 'names a test without its title',
      ...proofs.map((proof) => runProblem(proof, tests)),
    ];
    return problems.filter((problem) => typeof problem === 'string').map((problem) => `${requirement}: ${problem}`);
  });
}

const QUOTE = /(?<![\w'])'([^']+)'(?!\w)/g;
/**
 * Matches a placeholder for a count, a name or an amount in a quoted text. The check then searches the source for the parts of the text
 * between the placeholders.
 */
const VALUE = /\b[NMXY]\b|n\/total name|\{\w+\}|\$\d[\d.]*/;

const quotedIn = (text: string): string[] =>
  [...text.matchAll(QUOTE)].flatMap(([, quote = '']) => quote.split(VALUE)).map((piece) => piece.trim());

/**
 * Returns one message per quoted text that the application does not contain exactly. Browser tests would not notice the difference between
 * 'New password' and 'New Password'.
 */
export const misquoted = (statements: readonly Statement[], source: string): string[] =>
  statements.flatMap(({ no, text }) =>
    quotedIn(text)
      .filter((piece) => !source.includes(piece))
      .map((piece) => `${no}: the product says '${piece}' nowhere`),
  );

/** Returns one message per statement that no test proves. */
export function conformanceProblems(statements: readonly Statement[], tests: readonly Test[]): string[] {
  const twice = statements.filter(({ no }, index) => statements.findIndex((other) => other.no === no) !== index);
  const unproved = statements.flatMap(({ no, section, proofs, inWords }) => {
    if (inWords) return [];
    if (proofs.length === 0) return [`${no} has no proof`];
    const problems = proofs.map((proof) => proofProblem(proof, section, tests));
    return problems.filter((problem) => problem !== null).map((problem) => `${no}: ${problem}`);
  });
  return [...twice.map(({ no }) => `${no} occurs twice`), ...unproved];
}
