// Checks docs/conformance: every named test exists, cites its section and has passed, and the application contains every quoted text. The
// tests named in docs/reliability.md and docs/security.md must exist and pass too. Without the reports of the two test runners, the script
// does not check that the tests have passed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { conformanceProblems, misquoted, reliabilityProblems, securityProblems, statementsIn, type Test } from './conformance.ts';
import { rowsOf } from './reliability-page.ts';
import { listedVitestTests, playwrightTests, vitestTests } from './test-reports.ts';

const root = resolve(import.meta.dirname, '..');
const pages = join(root, 'docs/conformance');

function json(file: string): unknown {
  if (!existsSync(file)) throw new Error(`${file} is missing: the tests did not run to their end.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a command that writes a list of tests to a file, and returns this list. Playwright finds the file's path in a variable. */
function listOf(commandFor: (file: string) => string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  const file = join(folder, 'tests.json');
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  try {
    const { status } = spawnSync(commandFor(file), { shell: true, cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`failed: ${commandFor(file)}`);
    return json(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const unitTests = (): Test[] =>
  listedVitestTests(
    listOf((file) => `vitest list --static-parse --json="${file}"`),
    root,
  );
const browserTests = (args = ''): Test[] =>
  playwrightTests(
    listOf(() => `playwright test --list --reporter=json ${args}`),
    root,
    { isList: true },
  );

const [vitest, playwright] = process.argv.slice(2);
// The report of Playwright does not contain the tests with the tag @long, which npm test does not run.
const tests =
  vitest && playwright
    ? [...vitestTests(json(vitest), root), ...playwrightTests(json(playwright), root), ...browserTests('--grep=@long')]
    : [...unitTests(), ...browserTests()];
const statements = readdirSync(pages).flatMap((page) => statementsIn(readFileSync(join(pages, page), 'utf8')));
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
const source = sources.map((file) => readFileSync(join(root, 'src', file), 'utf8')).join('\n');
const reliability = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
const security = readFileSync(join(root, 'docs/security.md'), 'utf8');
const problems = [
  ...conformanceProblems(statements, tests),
  ...misquoted(statements, source),
  ...reliabilityProblems(rowsOf(reliability), tests),
  ...securityProblems(security, tests),
];
for (const problem of problems) console.error(problem);
const open = statements.filter(({ inWords }) => inWords?.kind === 'open');
for (const { no, inWords } of open) console.log(`${no} is open: ${inWords?.how}`);
if (statements.length === 0) console.error('There are no statements in docs/conformance.');
else console.log(problems.length === 0 ? `${statements.length} statements hold.` : `${problems.length} proofs do not hold.`);
process.exitCode = problems.length === 0 && statements.length > 0 ? 0 : 1;
