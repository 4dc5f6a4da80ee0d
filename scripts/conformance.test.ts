import { describe, expect, test } from 'vitest';
import { cites, conformanceProblems, misquoted, reliabilityProblems, securityProblems, statementsIn, type Test } from './conformance.ts';
import { rowsOf } from './reliability-page.ts';
import { failuresOf, listedVitestTests, playwrightTests, vitestTests } from './test-reports.ts';

const PAGE = [
  '# Section 2',
  '| No. | Statement | Proof |',
  '| --- | --- | --- |',
  '| S2.1 | Anybody else is sent to /auth. | `a.test.ts › a visitor is sent away (spec §2)`<br>`e.spec.ts › ways › home (spec §1, §2)` |',
  '| C2.2 | a \\| b | `a.test.ts › %s is refused (contract §2)` |',
  '| S2.3 | It looks well. | checked: by eye, in both colors. |',
  '| S2.4 | It is backed up. | open: not built yet. |',
].join('\n');

const passed = (file: string, title: string, is: boolean | null = true): Test => ({ file, title, passed: is });
const GOOD = [
  passed('a.test.ts', 'a visitor is sent away (spec §2)'),
  passed('e.spec.ts', 'ways › home (spec §1, §2)'),
  passed('a.test.ts', '"x" is refused (contract §2)'),
];
const problemsWith = (tests: Test[], page = PAGE): string[] => conformanceProblems(statementsIn(page), tests);

test('the conformance check reads the statements in the tables of a page, and ignores headings and prose', () => {
  const [first, second, third, fourth] = statementsIn(PAGE);
  expect(first).toMatchObject({ no: 'S2.1', section: 'spec §2', proofs: [{ file: 'a.test.ts' }, { title: 'ways › home (spec §1, §2)' }] });
  expect(second).toMatchObject({ section: 'contract §2', text: 'a | b' });
  expect(third?.inWords).toEqual({ kind: 'checked', how: 'by eye, in both colors.' });
  expect(fourth?.inWords).toEqual({ kind: 'open', how: 'not built yet.' });
});

test('the conformance check accepts a page when all tests that it names have passed', () => {
  expect(problemsWith(GOOD)).toEqual([]);
});

test('the conformance check accepts a test with the tag "long" that did not run, because npm run long-tests runs it', () => {
  expect(problemsWith(GOOD.map((test) => ({ ...test, passed: null, isLong: true })))).toEqual([]);
});

describe('the conformance check reports a statement', () => {
  test.each<[string, Test[], string]>([
    ['its test no longer exists', GOOD.slice(1), 'S2.1: there is no test "a visitor is sent away (spec §2)" in a.test.ts'],
    [
      'its test is in another file',
      [...GOOD.slice(0, 1), ...GOOD.slice(2)],
      'S2.1: there is no test "ways › home (spec §1, §2)" in e.spec.ts',
    ],
    [
      'its parametrized test failed for one row',
      [...GOOD, passed('a.test.ts', '7 is refused (contract §2)', false)],
      'C2.2: "%s is refused (contract §2)" in a.test.ts did not pass',
    ],
    [
      'its test was skipped',
      [passed('a.test.ts', 'a visitor is sent away (spec §2)', null), ...GOOD.slice(1)],
      'S2.1: "a visitor is sent away (spec §2)" in a.test.ts did not run',
    ],
  ])('with this problem: %s', (_, tests, problem) => {
    expect(problemsWith(tests)).toEqual([problem]);
  });

  test('whose test cites other sections, but not the section of the statement', () => {
    const page = '| S3.1 | x | `a.test.ts › a visitor is sent away (spec §2)` |';
    expect(problemsWith(GOOD, page)).toEqual(['S3.1: "a visitor is sent away (spec §2)" in a.test.ts does not cite spec §3']);
  });

  test('from a review if its test is missing; the tests of such statements need not cite a section', () => {
    const page = '| A1 | x | `a.test.ts › a visitor is sent away (spec §2)` |\n| U2 | y | `a.test.ts › nothing` |';
    expect(problemsWith(GOOD, page)).toEqual(['U2: there is no test "nothing" in a.test.ts']);
  });

  test('that names no test, and a statement whose number occurs twice', () => {
    expect(problemsWith(GOOD, '| S2.1 | x |  |\n| S2.1 | y | some day |')).toEqual([
      'S2.1 occurs twice',
      'S2.1 has no proof',
      'S2.1 has no proof',
    ]);
  });
});

test('the conformance check searches the source for each UI text that a statement quotes, ignoring interpolated values', () => {
  const page = "| S2.1 | The customer's link reads 'New Order', its summary 'N out of M placed'. | x |";
  expect(misquoted(statementsIn(page), "'New Order' `${placed} out of ${all} placed`")).toEqual([]);
  expect(misquoted(statementsIn(page), "'New order' `${placed} out of ${all} placed`")).toEqual([
    "S2.1: the product says 'New Order' nowhere",
  ]);
});

test('when a statement names a describe block, the conformance check requires that all tests in the block have passed', () => {
  const tests = [passed('a.test.ts', 'refused (spec §5) › one'), passed('a.test.ts', 'refused (spec §5) › two', false)];
  const page = '| S5.1 | x | `a.test.ts › refused (spec §5)` |';
  expect(problemsWith(tests, page)).toEqual(['S5.1: "refused (spec §5)" in a.test.ts did not pass']);
  expect(problemsWith(tests.slice(0, 1), page)).toEqual([]);
});

test.each([
  ['x (spec §2)', 'spec §2', true],
  ['x (spec §5, §2; contract §4)', 'spec §2', true],
  ['x (spec §5, §2; contract §4)', 'contract §4', true],
  ['x (spec §2)', 'contract §2', false],
  ['x (spec §10)', 'spec §1', false],
  ['x', 'spec §1', false],
])('for the test title %j and the section %s, cites() returns %s', (title, section, does) => {
  expect(cites(title, section)).toBe(does);
});

describe('the test results', () => {
  test("are read from Vitest's JSON report and from Vitest's list of tests", () => {
    const assertionResults = [
      { ancestorTitles: ['a fee'], title: 'is added', status: 'passed' },
      { ancestorTitles: [], title: 'one more', status: 'skipped' },
      { ancestorTitles: [], title: 'a flood', status: 'skipped', tags: ['long'] },
    ];
    expect(vitestTests({ testResults: [{ name: '/repo/src/a.test.ts', assertionResults }] }, '/repo')).toEqual([
      passed('src/a.test.ts', 'a fee › is added'),
      passed('src/a.test.ts', 'one more', null),
      { ...passed('src/a.test.ts', 'a flood', null), isLong: true },
    ]);
    expect(listedVitestTests([{ name: 'a fee > "%s" is \\"odd\\"', file: '/repo/src/a.test.ts' }], '/repo')).toEqual([
      passed('src/a.test.ts', 'a fee › "%s" is "odd"'),
    ]);
  });

  test("are read from Playwright's report: a test needs to run in one project only, and counts as failed when it fails in any project", () => {
    const spec = (title: string, ...statuses: string[]) => ({ title, tests: statuses.map((status) => ({ status })) });
    const report = {
      config: { rootDir: '/repo/test/e2e' },
      suites: [
        {
          title: 'a.spec.ts',
          specs: [spec('both', 'expected', 'expected'), spec('one', 'expected', 'unexpected'), spec('flaky', 'flaky')],
          suites: [{ title: 'at a desk', specs: [spec('skipped', 'skipped')] }],
        },
      ],
    };
    const titles = ['both', 'one', 'flaky', 'at a desk › skipped'];
    const outcomes = (tests: Test[]) => tests.map(({ file, title, passed: is }) => [file, title, is]);
    expect(outcomes(playwrightTests(report, '/repo'))).toEqual(
      titles.map((title, i) => ['test/e2e/a.spec.ts', title, [true, false, false, null][i]]),
    );
    expect(playwrightTests(report, '/repo', { isList: true }).every((each) => each.passed)).toBe(true);
  });
});

test('npm test ends with the names and messages of the failed tests', () => {
  const failureMessages = ['\u001b[31mexpected 3\u001b[39m to be 4\n    at a.test.ts:3'];
  const assertionResults = [
    { ancestorTitles: ['a fee'], title: 'is added', status: 'failed', failureMessages },
    { ancestorTitles: [], title: 'is shown', status: 'passed', failureMessages: [] },
  ];
  const units = vitestTests({ testResults: [{ name: '/repo/src/a.test.ts', assertionResults }] }, '/repo');
  expect(failuresOf(units)).toEqual(['src/a.test.ts › a fee › is added\n    expected 3 to be 4\n        at a.test.ts:3']);
  const broken = { name: '/repo/src/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] };
  expect(failuresOf(vitestTests({ testResults: [broken] }, '/repo'))).toEqual(['src/b.test.ts › the file itself\n    Cannot find module']);
  const tests = [{ status: 'unexpected', results: [{ errors: [{ message: 'no such button' }] }] }];
  const report = { config: { rootDir: '/repo' }, suites: [{ title: 'a.spec.ts', specs: [{ title: 'home', tests }] }] };
  expect(failuresOf(playwrightTests(report, '/repo'))).toEqual(['a.spec.ts › home\n    no such button']);
});

describe('in docs/reliability.md', () => {
  const page = `# Reliability
## Durability
### R17: no order is lost

None is lost.

**In detail**

- \`a.test.ts › not a proof\`

**Tests**

- \`a.test.ts › kill -9\`
- \`a.test.ts › %s twice\`

**Long test**: \`npm run prove -- R17\`

**Measured** (2026-11-22): \`0\` of 40 runs.

### R50: slow connections

None waits.

**Long test**: \`npm audit\`

### How long does it take?

- \`a.test.ts › not in a row\`
`;

  test('a row is a section with its promise, its tests and its command; other sections are ignored', () => {
    const proofs = [
      { file: 'a.test.ts', title: 'kill -9' },
      { file: 'a.test.ts', title: '%s twice' },
    ];
    expect(rowsOf(page)).toEqual([
      { no: 'R17', promise: 'None is lost.', proofs, command: 'npm run prove -- R17' },
      { no: 'R50', promise: 'None waits.', proofs: [], command: 'npm audit' },
    ]);
  });

  test('every named test must exist and have passed, also a test whose title cites no section', () => {
    const rows = rowsOf(page);
    expect(reliabilityProblems(rows, [passed('a.test.ts', 'kill -9'), passed('a.test.ts', 'two twice')])).toEqual([]);
    expect(reliabilityProblems(rows, [passed('a.test.ts', 'kill -9', false)])).toEqual([
      'R17: "kill -9" in a.test.ts did not pass',
      'R17: there is no test "%s twice" in a.test.ts',
    ]);
  });
});

describe('the check of the security page', () => {
  const problemsOf = (row: string) => securityProblems(`| Requirement | SignInResult | Reason | Tests |\n${row}`, GOOD);

  test('accepts a kept requirement whose tests have passed, and a requirement marked as "departs" without a test', () => {
    expect(problemsOf('| 6.2 words | kept | all | `a.test.ts › a visitor is sent away (spec §2)`<br>`e.spec.ts › ways` |')).toEqual([]);
    expect(problemsOf('| 6.2 words | **departs** | too long | – |')).toEqual([]);
  });

  test.each([
    ['| 6.2 words | kept | all | – |', '6.2 words: is kept, but names no test'],
    ['| 6.2 words | kept | all | `a.test.ts` |', '6.2 words: names a test without its title'],
    ['| 6.2 words | **departs** | all | `a.test.ts › gone` |', '6.2 words: there is no test "gone" in a.test.ts'],
    ['', 'docs/security.md has no requirements'],
  ])('refuses the row %j with the message %j', (row, problem) => {
    expect(problemsOf(row)).toEqual([problem]);
  });
});
