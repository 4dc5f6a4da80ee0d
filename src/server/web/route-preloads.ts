// Names in the page what its screen needs first, so that the browser loads it together with the first scripts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Role } from '../../domain/accounts/roles.ts';

export interface RoutePreload {
  /** The router's path; every `:name` is a whole number. */
  readonly path: string;
  readonly role: Role | 'public';
  /** The file that the router imports. */
  readonly script: string;
  /** The URLs that the screen always reads first; receives the numbers in the path. */
  readonly reads: (...ids: number[]) => readonly string[];
}

/** The tags to insert into a page. */
export interface PreloadTags {
  /** At the start of its head: loaded before everything else. */
  readonly first: string;
  /** At the end of its head. */
  readonly scripts: string;
  /** After the loading shell, which it would block in the head. */
  readonly reader: string;
}

export const NO_PRELOADS: PreloadTags = { first: '', scripts: '', reader: '' };

/** The role of a screen, and the tags for what it needs. */
export interface PagePreload extends PreloadTags {
  readonly role: Role | 'public';
}

/** Milliseconds. */
const MAX_SESSION_WAIT = 250;

/** The tags of a screen for users of its role; `ask` looks up the session. Without a response in time the page is sent without tags. */
export async function preloadTagsFor(look: PagePreload | null, ask: () => Promise<Role | null>): Promise<PreloadTags> {
  if (!look || look.role === 'public') return look ?? NO_PRELOADS;
  const role = await Promise.race([ask(), pause(MAX_SESSION_WAIT, null, { ref: false })]);
  return role === look.role ? look : NO_PRELOADS;
}

/** Vite's manifest: built files by their sources. */
export const Manifest = z.record(z.string(), z.object({ file: z.string(), imports: z.optional(z.array(z.string())) }));
type Built = z.infer<typeof Manifest>;

/** The script of a source and its imports, by their manifest names. */
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

/** An inline reader requests the URLs before other scripts can run; the screen uses its responses. */
const readerTags = (file: string, addresses: readonly string[]): Pick<PreloadTags, 'first' | 'reader'> => ({
  first: `<link rel="preload" as="script" href="/${file}">`,
  reader: `<script src="/${file}" data-reads="${addresses.join(' ')}"></script>`,
});

/** `folder` is the built client's; without its manifest there are no tags. */
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
