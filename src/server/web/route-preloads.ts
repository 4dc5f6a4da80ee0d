// What a screen needs at once is named in its page, so that the browser fetches it beside the first scripts and not after them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Role } from '../../domain/accounts/roles.ts';

export interface RoutePreload {
  /** As the router has it; every `:name` is a whole number. */
  readonly path: string;
  readonly role: Role | 'public';
  /** The file that the router imports. */
  readonly script: string;
  /** The addresses that the screen reads as soon as it is shown, whatever they answer; it is given the numbers of the path. */
  readonly reads: (...ids: number[]) => readonly string[];
}

/** Tags of a page. */
export interface PreloadTags {
  /** At the beginning of its head: what is fetched before all else. */
  readonly first: string;
  /** At the end of its head. */
  readonly scripts: string;
  /** Right behind what it shows before any script, which it would hold up in the head. */
  readonly reader: string;
}

export const NO_PRELOADS: PreloadTags = { first: '', scripts: '', reader: '' };

/** For whom a screen is, and the tags that name what it needs. */
export interface PagePreload extends PreloadTags {
  readonly role: Role | 'public';
}

/** Milliseconds. */
const MAX_SESSION_WAIT = 250;

/**
 * The tags of a look for whoever it is for; `ask` says whose session it is. A page waits for no database: what it shows without says so.
 */
export async function preloadTagsFor(look: PagePreload | null, ask: () => Promise<Role | null>): Promise<PreloadTags> {
  if (!look || look.role === 'public') return look ?? NO_PRELOADS;
  const role = await Promise.race([ask(), pause(MAX_SESSION_WAIT, null, { ref: false })]);
  return role === look.role ? look : NO_PRELOADS;
}

/** What Vite says of a build: its files by their sources. */
export const Manifest = z.record(z.string(), z.object({ file: z.string(), imports: z.optional(z.array(z.string())) }));
type Built = z.infer<typeof Manifest>;

/** The script of a source and those it imports, by their names in the manifest. */
export function chunkFiles(built: Built, name: string, seen = new Map<string, string>()): Map<string, string> {
  const chunk = built[name];
  if (!chunk || seen.has(name)) return seen;
  seen.set(name, chunk.file);
  for (const part of chunk.imports ?? []) chunkFiles(built, part, seen);
  return seen;
}

const ID = String.raw`(\d{1,9})`;
const READER = 'src/client/api/prefetch.ts';
const scriptTag = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`;

/** The reader asks for them before any other script can run; the screen takes the answers from it. */
const readerTags = (file: string, addresses: readonly string[]): Pick<PreloadTags, 'first' | 'reader'> => ({
  first: `<link rel="preload" as="script" href="/${file}">`,
  reader: `<script src="/${file}" data-reads="${addresses.join(' ')}"></script>`,
});

/** `folder` is the built client's; without its manifest nothing is named. */
export async function createRoutePreloads(folder: string, looks: readonly RoutePreload[]): Promise<(path: string) => PagePreload | null> {
  const text = await readFile(join(folder, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const built = Manifest.parse(JSON.parse(text));
  const inPage = chunkFiles(built, 'index.html');
  const reader = built[READER]?.file;
  const known = looks.map(({ path, role, script, reads }) => {
    const files = [...chunkFiles(built, script)].filter(([name]) => !inPage.has(name)).map(([, file]) => file);
    return { pattern: RegExp(`^${path.replaceAll(/:\w+/g, ID)}$`), role, scripts: files.map(scriptTag).join(''), reads };
  });
  return (path) => {
    for (const { pattern, role, scripts, reads } of known) {
      const found = pattern.exec(path);
      if (found) return { ...NO_PRELOADS, role, scripts, ...(reader ? readerTags(reader, reads(...found.slice(1).map(Number))) : {}) };
    }
    return null;
  };
}
