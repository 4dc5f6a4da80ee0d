// Checks that every script of package.json, and every command in a document, finds its files in a clean clone.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const DOCUMENTS = ['*.md', 'docs/**/*.md'];
/** Matches inline code and fenced code blocks in Markdown. */
const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
/** Matches the commands that npm runs without the word `run`. */
const NPM_ALONE = /\bnpm (start|test)\b/g;
const NPM_RUN = /\bnpm run (?:--silent )?([a-z][\w-]*(?::[\w-]+)*)/g;
const NODE_FILE = /\bnode (?:--\S+ )*((?:scripts|src|bench|test|dist)\/[\w./-]+\.[jt]s)\b/g;
const TEST_PATHS = /\b(?:vitest run|playwright test)((?: (?!&&)[^\s`&|;#]+)*)/g;
const PROJECT = /--project[ =]([\w-]+)/g;
const CONFIG = /(?:\btsc -p|--config) ([\w.-]+\.(?:json|ts))/g;
const PROJECT_OF_CONFIG = /name: '([\w-]+)'(?:, testDir: '([^']+)')?/g;

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Returns the path of the source from which a file in dist/server is built. */
const sourceOf = (file: string): string => file.replace(/^dist\/server\/(.+)\.js$/, 'src/$1.ts');

interface Known {
  readonly root: string;
  readonly scripts: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
}

function problemsIn(command: string, { root, scripts, projects }: Known): string[] {
  const paths = found(command, TEST_PATHS).flatMap((args) =>
    args.split(/\s+/).filter((arg) => /^(?:src|test|scripts|db|bench)\//.test(arg)),
  );
  const files = [...found(command, NODE_FILE), ...found(command, CONFIG), ...paths.map((path) => path.replace(/:\d+$/, ''))];
  return [
    ...[...found(command, NPM_RUN), ...found(command, NPM_ALONE)]
      .filter((name) => !scripts.has(name))
      .map((name) => `there is no script ${name}`),
    ...files.filter((file) => !existsSync(join(root, sourceOf(file)))).map((file) => `there is no ${file}`),
    ...found(command, PROJECT)
      .filter((name) => !projects.has(name))
      .map((name) => `the Playwright project ${name} has no tests`),
  ];
}

/** Returns the names of the Playwright projects whose folders contain at least one test file. */
function projectsOf(root: string): Set<string> {
  const config = join(root, 'playwright.config.ts');
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  const all = [...text.matchAll(PROJECT_OF_CONFIG)].map(([, name = '', folder = 'test/e2e']) => ({ name, folder }));
  return new Set(all.filter(({ folder }) => globSync(`${folder}/**/*.spec.ts`, { cwd: root }).length > 0).map(({ name }) => name));
}

/**
 * Returns one message per pattern in .gitignore without a leading slash. Such a pattern also ignores files of that name in deeper folders,
 * such as tests.
 */
function ignoreProblems(root: string): string[] {
  return globSync(['.gitignore', '*/.gitignore'], { cwd: root }).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^!?\/|^#/.test(line))
      .map((line) => `${file}: the pattern ${line} is not anchored; write /${line}`),
  );
}

/** Returns one message per command that cannot work. `root` is a repository's folder. */
export function commandProblems(root: string): string[] {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const known = { root, scripts: new Set(Object.keys(scripts)), projects: projectsOf(root) };
  const documents = globSync(DOCUMENTS, { cwd: root }).toSorted((a, b) => a.localeCompare(b));
  return [
    ...Object.entries(scripts).flatMap(([name, command]) =>
      problemsIn(command, known).map((problem) => `package.json, ${name}: ${problem}`),
    ),
    ...documents.flatMap((file) =>
      (readFileSync(join(root, file), 'utf8').match(CODE) ?? []).flatMap((code) =>
        problemsIn(code, known).map((problem) => `${file}: ${problem}`),
      ),
    ),
    ...ignoreProblems(root),
  ];
}

if (import.meta.main) {
  const problems = commandProblems(resolve(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'Every named command finds its files.' : `${problems.length} commands cannot work.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
