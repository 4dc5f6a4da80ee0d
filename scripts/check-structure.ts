// Checks the layout rules of docs/architecture.md: file names, import directions, and no import cycles.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, resolve, sep } from 'node:path';
import { LAYERS, layerOf } from './layers.ts';

interface Import {
  name: string;
  /** The path of the imported file from the repository's root; null when a package is imported. */
  path: string | null;
  typeOnly: boolean;
}
interface Source {
  file: string;
  text: string;
  layer: string;
  imports: Import[];
}

const KEBAB_CASE = /^[a-z0-9]+([-.][a-z0-9]+)*$/;
const FORBIDDEN_WORD = /(?:^|[-./])(service(?!-worker)|manager|helper|util|misc|common|base|impl|dto)s?(?=[-./])/i;
const UNCHECKED_LANGUAGE = 'add the type that requires the same texts as in English (docs/decisions/010-languages.md)';
/**
 * Matches CSS class names for the left or right side, which are wrong in right-to-left languages. Centering with `left-1/2` works in both
 * directions.
 */
const PHYSICAL_SIDE = /["'`\s:]-?(?:(?:scroll-)?[mp][lr]-|(?:left|right)-(?!1\/2)|(?:border|rounded)-[lr]\b|text-(?:left|right)\b)/;
const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) /;
const STATIC_IMPORT = /^(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /(?<!typeof )\bimport\(\s*['"]([^'"]+)['"]/g;

function filesOf(root: string): string[] {
  const found = ['src', 'scripts', 'test', 'db', 'bench']
    .filter((folder) => existsSync(resolve(root, folder)))
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          resolve(entry.parentPath, entry.name)
            .slice(resolve(root).length + 1)
            .replaceAll(sep, '/'),
        ),
    );
  return found
    .filter((file) => (file.startsWith('src/') || /\.tsx?$/.test(file)) && !file.startsWith('bench/floor/'))
    .toSorted((a, b) => a.localeCompare(b));
}

function sourceOf(root: string, file: string): Source {
  const text = readFileSync(resolve(root, file), 'utf8');
  const toImport = (name: string, typeOnly: boolean): Import => {
    const path = name.startsWith('.') ? posix.join(posix.dirname(file), name.replace(/\?.*$/, '')) : null;
    return { name, path, typeOnly };
  };
  const imports = [
    ...[...text.matchAll(STATIC_IMPORT)].map(([, type, name = '']) => toImport(name, type !== undefined)),
    ...[...text.matchAll(DYNAMIC_IMPORT)].map(([, name = '']) => toImport(name, false)),
  ];
  return { file, text, layer: layerOf(file), imports };
}

function fileProblems({ file, text, layer, imports }: Source, files: ReadonlySet<string>): string[] {
  const name = posix.basename(file);
  const word = FORBIDDEN_WORD.exec(file)?.[1];
  const [tested] = name.split('.');
  const beside = ['.ts', '.tsx'].some((end) => files.has(posix.join(posix.dirname(file), `${tested}${end}`)));
  const isElsewhere = file.startsWith('src/') && layer === 'test' && !beside && !imports.some(({ name: from }) => from.startsWith('./'));
  return [
    layer === 'none' && 'a file of this name may not be in this folder; scripts/layers.ts lists the allowed names',
    !KEBAB_CASE.test(name) && 'write the file name in kebab-case, such as order-page.tsx',
    word !== undefined && `"${word}" does not say what the file contains; choose a name that does`,
    /^index\.tsx?$/.test(name) && 'remove this file that only re-exports others, and import the files themselves',
    /^export \* from /m.test(text) && 'do not re-export a whole file with `export *`; import the file itself',
    // Default exports are forbidden, except where Vitest and Playwright read the default export of a test environment.
    !file.startsWith('test/environments/') &&
      /^export default\b|^export \{[^}]*\bas default\b/m.test(text) &&
      'use a named export instead of a default export',
    file.endsWith('.tsx') &&
      layer !== 'test' &&
      PHYSICAL_SIDE.test(text) &&
      'use the CSS classes of start and end, such as ms-2, because in some languages the text runs from right to left',
    layer === 'domain' &&
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/.test(text) &&
      'do not read the clock or random numbers in the domain; pass them as parameters',
    file.startsWith('src/features/') &&
      !['queries', 'test'].includes(layer) &&
      SQL.test(text) &&
      'move the SQL statement to a queries.ts, which contains all SQL and the access checks',
    isElsewhere && 'move the test to the folder of the file that it tests',
    layer !== 'test' &&
      /\/texts\.[^/]+\.ts$/.test(file) &&
      !text.includes(`satisfies InAnyLanguage<typeof import('./texts.ts')>`) &&
      UNCHECKED_LANGUAGE,
  ].filter((problem) => problem !== false);
}

function importProblem(from: Source, { name, path }: Import): string | false {
  const layer = LAYERS[from.layer];
  if (!layer) return false;
  if (path === null) return !layer.packages(name) && `${from.layer} may not use the package ${name}`;
  const target = layerOf(path);
  if (from.layer === 'test' || (from.layer === 'start' && target !== 'test')) return false;
  if (target === 'start') return `only start files and tests may import ${path}`;
  if (target === 'test') return `only tests may import ${path}`;
  if (from.layer === 'tool') return false;
  if (from.layer === 'routes' && target === 'contract' && posix.dirname(path) !== posix.dirname(from.file)) {
    return `routes may import no contract but their own, not ${path}`;
  }
  return !layer.imports.includes(target) && `${from.layer} may not import ${path}`;
}

function cycles(sources: ReadonlyMap<string, Source>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) found.push(`${file}: import cycle: ${[...way.slice(start), file].join(' > ')}`);
    if (start >= 0 || done.has(file)) return;
    for (const { path, typeOnly } of sources.get(file)?.imports ?? []) {
      if (path !== null && !typeOnly) visit(path, [...way, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

const MAX_SOURCES = 15;
const IS_SOURCE = /(?<!\.(?:test|spec))\.(?:tsx?|js|mjs)$/;

/** Returns one message per folder with more source files than allowed. */
function fullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files.filter((name) => IS_SOURCE.test(name))) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_SOURCES)
    .map(
      ([folder, count]) => `${folder}: ${count} source files; move some to a sub-folder, because a folder may have at most ${MAX_SOURCES}`,
    );
}

/** Returns one message per violation of the layout. `root` is a repository's folder. */
export function structureProblems(root: string): string[] {
  const files = filesOf(root);
  const sources = new Map(files.map((file) => [file, sourceOf(root, file)]));
  const known = new Set(files);
  const problems = [...sources.values()].flatMap((source) =>
    [...fileProblems(source, known), ...source.imports.map((one) => importProblem(source, one)).filter((problem) => problem !== false)].map(
      (problem) => `${source.file}: ${problem}`,
    ),
  );
  return [...problems, ...fullFolders(files), ...cycles(sources)];
}

if (import.meta.main) {
  const problems = structureProblems(resolve(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'The structure holds.' : `The structure check found ${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
