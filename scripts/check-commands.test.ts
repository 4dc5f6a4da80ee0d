import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { commandProblems } from './check-commands.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const CONFIG = `projects: [{ name: 'desktop' }, { name: 'gallery', testDir: 'test/gallery', fullyParallel: true }]`;

function problemsOf(scripts: Record<string, string>, files: Record<string, string> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'commands-'));
  roots.push(root);
  const all = { 'package.json': JSON.stringify({ scripts }), 'playwright.config.ts': CONFIG, 'test/e2e/a.spec.ts': '', ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return commandProblems(root);
}

test('every file that a script of package.json or a command in the documents names exists', () => {
  expect(commandProblems(resolve(import.meta.dirname, '..'))).toEqual([]);
});

test('the check of commands accepts commands whose scripts, built files, configurations, test paths and test projects exist', () => {
  const scripts = {
    start: 'exec node scripts/launch.js dist/server/start-server.js',
    'format:check': 'oxfmt --check .',
    types: 'tsc -p tsconfig.json && npm run format:check',
    walk: 'X=1 playwright test test/e2e/a.spec.ts --project desktop',
  };
  const README =
    '```sh\nnpm install && npm start # once\nnpm run --silent types -- x\n```\nor `npx vitest run test/e2e/a.spec.ts:12 -t x` and `npm run walk`: done';
  expect(problemsOf(scripts, { 'scripts/launch.js': '', 'src/start-server.ts': '', 'tsconfig.json': '', 'README.md': README })).toEqual([]);
});

test('the check of commands reports a script whose test project has no tests, and an ignore pattern without a leading slash', () => {
  expect(problemsOf({ gallery: 'playwright test --project gallery' }, { '.gitignore': '/dist/\n# kept out\ngallery/\n' })).toEqual([
    'package.json, gallery: the Playwright project gallery has no tests',
    '.gitignore: the pattern gallery/ is not anchored; write /gallery/',
  ]);
});

test('the check of commands reports scripts and files that do not exist but are named in package.json or in a document', () => {
  const files = {
    'docs/a/b.md': 'Say npm run prose. `npm run nothing`, `npx vitest run src/none.test.ts`\n```\nnode scripts/none.ts\n```\n',
  };
  expect(problemsOf({ bench: 'node bench/none.ts && vite build --config none.config.ts' }, files)).toEqual([
    'package.json, bench: there is no bench/none.ts',
    'package.json, bench: there is no none.config.ts',
    'docs/a/b.md: there is no script nothing',
    'docs/a/b.md: there is no src/none.test.ts',
    'docs/a/b.md: there is no scripts/none.ts',
  ]);
});
