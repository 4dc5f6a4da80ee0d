import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoutePreloads, preloadTagsFor, type RoutePreload } from './route-preloads.ts';

const PRELOADS: RoutePreload[] = [
  { path: '/customer', role: 'customer', script: 'src/list.tsx', reads: () => ['/api/user', '/api/orders'] },
  { path: '/edit/:distributionId/:customerId', role: 'agent', script: 'src/edit.tsx', reads: (one, two) => [`/api/edit/${one}/${two}`] },
];
const BUILT = {
  'index.html': { file: 'assets/index-1.js', imports: ['_react.js'] },
  '_react.js': { file: 'assets/react-2.js' },
  '_table.js': { file: 'assets/table-3.js', imports: ['_react.js'] },
  'src/list.tsx': { file: 'assets/list-4.js', imports: ['_react.js', '_table.js'] },
  'src/edit.tsx': { file: 'assets/edit-5.js' },
  'src/client/api/prefetch.ts': { file: 'assets/ahead-6.js' },
};
const readerTags = (urls: string) => ({
  first: '<link rel="preload" as="script" href="/assets/ahead-6.js">',
  reader: `<script src="/assets/ahead-6.js" data-reads="${urls}"></script>`,
});
const script = (file: string) => `<link rel="modulepreload" crossorigin href="/assets/${file}">`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(BUILT));
});
afterAll(() => rm(folder, { recursive: true }));

test('preloadTagsFor returns preload tags for the requests of a screen, and for the scripts that the page would load only later', async () => {
  const preloadOf = await createRoutePreloads(folder, PRELOADS);
  expect(preloadOf('/customer')).toEqual({
    role: 'customer',
    scripts: script('list-4.js') + script('table-3.js'),
    ...readerTags('/api/user /api/orders'),
  });
  expect(preloadOf('/edit/12/34')).toEqual({ role: 'agent', scripts: script('edit-5.js'), ...readerTags('/api/edit/12/34') });
});

test('preloadTagsFor returns null instead of preload tags for an unknown path', async () => {
  const preloadOf = await createRoutePreloads(folder, PRELOADS);
  for (const path of ['/', '/customers', '/customer/', '/edit/12', '/edit/12/"><script>', '/edit/12/1234567890', '/edit/1.5/2']) {
    expect([path, preloadOf(path)]).toEqual([path, null]);
  }
});

test('preloadTagsFor returns empty preload tags when the client is not built', async () => {
  const preloadOf = await createRoutePreloads(join(folder, 'missing'), PRELOADS);
  expect(preloadOf('/customer')).toEqual({ role: 'customer', first: '', scripts: '', reader: '' });
});

describe('the preload tags of a screen', () => {
  const preload = { role: 'agent' as const, first: 'first', scripts: 'scripts', reader: 'reads' };
  const none = { first: '', scripts: '', reader: '' };

  test('are sent only to users with the role of the screen', async () => {
    expect(await preloadTagsFor(preload, async () => 'agent')).toEqual(preload);
    expect(await preloadTagsFor(preload, async () => 'customer')).toEqual(none);
    expect(await preloadTagsFor(preload, async () => null)).toEqual(none);
    expect(await preloadTagsFor(null, async () => 'agent')).toEqual(none);
  });

  test('are sent to everybody for a public screen, without a session lookup', async () => {
    const open = { ...preload, role: 'public' as const };
    expect(await preloadTagsFor(open, () => Promise.reject(new Error('looked up')))).toEqual(open);
  });

  test('are omitted when the database does not respond', async () => {
    expect(await preloadTagsFor(preload, () => new Promise(() => undefined))).toEqual(none);
  });
});
