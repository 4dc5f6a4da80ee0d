// Converts the reports and test lists of Vitest and Playwright into one format.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { Test } from './conformance.ts';

const JOINT = ' › ';

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.optional(z.string()),
      /** The reason why a test file could not be run. */
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.optional(z.array(z.string())),
          tags: z.optional(z.array(z.string())),
        }),
      ),
    }),
  ),
});

/** Returns whether a test passed; null for a skipped test. */
const outcomeOf = (status: string): boolean | null => (status === 'passed' ? true : status === 'failed' ? false : null);

const FIRST_LINES = 6;

function whyOf(messages: readonly string[]): { why?: string } {
  const lines = messages.flatMap((message) => stripVTControlCharacters(message).split('\n'));
  return lines.length > 0 ? { why: lines.slice(0, FIRST_LINES).join('\n') } : {};
}

type VitestFile = z.infer<typeof VitestReport>['testResults'][number];

/** Returns a failed test for a file that failed although none of its tests did, for example because of an import. */
const brokenFile = ({ status, message = '', assertionResults }: VitestFile): { title: string; passed: false; why?: string }[] =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
    ? [{ title: 'the file itself', passed: false, ...whyOf([message]) }]
    : [];

/** Converts the report of `vitest run --reporter=json` into a list of tests. */
export const vitestTests = (report: unknown, root: string): Test[] =>
  VitestReport.parse(report).testResults.flatMap((file) => [
    ...file.assertionResults.map(({ ancestorTitles, title, status, failureMessages = [], tags = [] }) => ({
      file: relative(root, file.name),
      title: [...ancestorTitles, title].join(JOINT),
      passed: outcomeOf(status),
      ...(tags.includes('long') && { isLong: true }),
      ...whyOf(failureMessages),
    })),
    ...brokenFile(file).map((test) => ({ file: relative(root, file.name), ...test })),
  ]);

const VitestList = z.array(z.object({ name: z.string(), file: z.string() }));

/**
 * Converts the output of `vitest list --static-parse --json`, whose titles are as written in the source. Each listed test counts as passed.
 */
export const listedVitestTests = (list: unknown, root: string): Test[] =>
  VitestList.parse(list).map(({ name, file }) => ({
    file: relative(root, file),
    title: name.replaceAll(' > ', JOINT).replaceAll('\\', ''),
    passed: true,
  }));

const Tried = z.object({ errors: z.optional(z.array(z.object({ message: z.optional(z.string()) }))) });
const Spec = z.object({
  title: z.string(),
  tests: z.array(z.object({ status: z.string(), results: z.optional(z.array(Tried)) })),
});
interface Suite {
  title: string;
  specs: z.infer<typeof Spec>[];
  suites?: Suite[] | undefined;
}
const SuiteShape: z.ZodType<Suite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(Spec), suites: z.optional(z.array(SuiteShape)) }),
);
const PlaywrightReport = z.object({ config: z.object({ rootDir: z.string() }), suites: z.array(SuiteShape) });

interface RunSpec {
  title: string;
  statuses: string[];
  messages: string[];
}

const specsIn = ({ specs, suites = [] }: Suite): RunSpec[] => [
  ...specs.map(({ title, tests }) => ({
    title,
    statuses: tests.map(({ status }) => status),
    messages: tests.flatMap(({ results = [] }) => results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message))),
  })),
  ...suites.flatMap((suite) => specsIn(suite).map((spec) => ({ ...spec, title: suite.title + JOINT + spec.title }))),
];

/** Returns whether a test passed in all Playwright projects that ran it; null if every project skipped it. */
function ranWell(statuses: readonly string[]): boolean | null {
  if (statuses.some((status) => status === 'unexpected' || status === 'flaky')) return false;
  return statuses.includes('expected') ? true : null;
}

/** Converts Playwright's JSON report. With `isList`, converts the output of `playwright test --list`, where each test counts as passed. */
export function playwrightTests(report: unknown, root: string, { isList = false } = {}): Test[] {
  const { config, suites } = PlaywrightReport.parse(report);
  return suites.flatMap((suite) => {
    const file = relative(root, `${config.rootDir}/${suite.title}`);
    return specsIn(suite).map(({ title, statuses, messages }) => ({
      file,
      title,
      passed: isList || ranWell(statuses),
      ...whyOf(messages),
    }));
  });
}

/** Returns file, title and message of the failed tests, for the last lines of a run. */
export const failuresOf = (tests: readonly Test[]): string[] =>
  tests
    .filter(({ passed }) => passed === false)
    .map(({ file, title, why = '' }) => [`${file}${JOINT}${title}`, ...why.split('\n')].join('\n    ').trimEnd());
