// Adds tags to the HTML page that preload the scripts and the API data of the requested screen. The browser then loads them at the same
// time as the first scripts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Role } from '../../domain/accounts/roles.ts';

export interface RoutePreload {
  /** The path of the screen in the router. Each `:name` in it stands for a whole number. */
  readonly path: string;
  readonly role: Role | 'public';
  /** The source file of the screen, which the router imports. */
  readonly script: string;
  /** Returns the API URLs that the screen always reads first. The arguments are the numbers in the path. */
  readonly reads: (...ids: number[]) => readonly string[];
}

/** The tags to insert into a page. There is one field for each place of insertion. */
export interface PreloadTags {
  /** These tags are inserted at the start of the head, so that they are loaded before everything else. */
  readonly first: string;
  /** These tags are inserted at the end of the head. */
  readonly scripts: string;
  /** The script tag to insert after the loading shell. A script tag in the head would delay the display of the loading shell. */
  readonly reader: string;
}

export const NO_PRELOADS: PreloadTags = { first: '', scripts: '', reader: '' };

/** The role that may open a screen, and the preload tags for its scripts and reads. */
export interface PagePreload extends PreloadTags {
  readonly role: Role | 'public';
}

/** The maximum time in milliseconds that a page waits for the user's role. After it, the page is sent without tags. */
const MAX_SESSION_WAIT = 250;

/**
 * Returns the tags of a screen if the user has the screen's role. If the database does not return the role in time, the page is sent
 * without tags.
 */
export async function preloadTagsFor(preload: PagePreload | null, readRole: () => Promise<Role | null>): Promise<PreloadTags> {
  if (!preload || preload.role === 'public') return preload ?? NO_PRELOADS;
  const role = await Promise.race([readRole(), pause(MAX_SESSION_WAIT, null, { ref: false })]);
  return role === preload.role ? preload : NO_PRELOADS;
}

/** Vite's manifest. It maps each source file to its built file and to the source files that it imports. */
export const Manifest = z.record(z.string(), z.object({ file: z.string(), imports: z.optional(z.array(z.string())) }));
type Built = z.infer<typeof Manifest>;

/**
 * Returns the built script of a source file and of all source files that it imports. The keys are the names of the source files in the
 * manifest.
 */
export function chunkFiles(built: Built, name: string, seen = new Map<string, string>()): Map<string, string> {
  const chunk = built[name];
  if (!chunk || seen.has(name)) return seen;
  seen.set(name, chunk.file);
  for (const imported of chunk.imports ?? []) chunkFiles(built, imported, seen);
  return seen;
}

const ID = String.raw`(\d{1,9})`;
const READER = 'src/client/api/prefetch.ts';
const scriptTag = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`;

/** Returns the tags of a script that requests the URLs before other scripts can run. The screen later uses the responses. */
const readerTags = (file: string, urls: readonly string[]): Pick<PreloadTags, 'first' | 'reader'> => ({
  first: `<link rel="preload" as="script" href="/${file}">`,
  reader: `<script src="/${file}" data-reads="${urls.join(' ')}"></script>`,
});

/**
 * Reads Vite's manifest of the built client in `folder`. Returns a function that finds the preload tags for a path. Without a manifest, no
 * page gets tags.
 */
export async function createRoutePreloads(
  folder: string,
  preloads: readonly RoutePreload[],
): Promise<(path: string) => PagePreload | null> {
  const text = await readFile(join(folder, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const built = Manifest.parse(JSON.parse(text));
  const inPage = chunkFiles(built, 'index.html');
  const reader = built[READER]?.file;
  const known = preloads.map(({ path, role, script, reads }) => {
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
