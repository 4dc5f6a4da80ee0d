// Serves the built client. A browser caches files with a hash in their names permanently, but requests the HTML page each time. A path that
// names neither an API call nor a file gets the HTML page.
import serve from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asTheme, THEME_COOKIE } from '../../shared/theme.ts';
import { notFound } from '../errors.ts';
import { NO_PRELOADS, type PreloadTags } from './route-preloads.ts';

const HTML = 'text/html; charset=utf-8';
/**
 * Whether a path contains no `..`. Browsers resolve these before they send a request. Resolving a long path here would take up to 25 ms:
 * the time grows with the square of its length, and a missing file is searched once for each compression.
 */
const isResolved = (path: string): boolean => !path.includes('..');
/** Browsers must not reuse an HTML page without asking the server, because its preload tags depend on the user. */
const NO_STORE = 'private, no-cache';
const YEAR = 31_536_000;
/**
 * The number of seconds for which browsers cache pictures and the icon. Their names contain no hash, so browsers check after an hour
 * whether they have changed.
 */
const HOUR = 3600;

/**
 * Returns whether a path names a file. The path of a screen never ends with a file extension that contains a letter: /backup.sql is a
 * missing file, but /distributor/distribution/1.5 is a screen.
 */
function isFile(path: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const dot = last.indexOf('.');
  return last.endsWith('~') || (dot >= 0 && /[a-z]/i.test(last.slice(dot)));
}

/** The start of the stylesheet tag, which follows the loading shell in the built page (scripts/build/loading-shell.ts). */
const STYLES = '<link rel="stylesheet"';

const READS = new Set(['GET', 'HEAD']);

type Hints = (request: FastifyRequest) => Promise<PreloadTags>;

export async function serveClient(app: FastifyInstance, folder: string, hintsOf: Hints = async () => NO_PRELOADS): Promise<void> {
  if (!existsSync(folder)) {
    app.setNotFoundHandler(() => {
      throw notFound('This address was');
    });
    return;
  }
  await app.register(serve, {
    root: folder,
    index: false,
    preCompressed: true,
    allowedPath: isResolved,
    cacheControl: false,
    // The folder also contains the manifest of the build (.vite/manifest.json), which only the server needs.
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      void reply.setHeader('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : `public, max-age=${HOUR}`);
      void reply.setHeader('vary', 'accept-encoding');
    },
  });
  const index = await readFile(join(folder, 'index.html'), 'utf8');
  const themed = ({ cookies }: FastifyRequest): string => {
    const theme = asTheme(cookies[THEME_COOKIE]);
    return theme ? index.replace('<html', `<html data-theme="${theme}"`) : index;
  };
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { first, scripts, reader } = await hintsOf(request);
    const hinted = themed(request)
      .replace('<title>', (title) => first + title)
      .replace('</head>', (end) => scripts + end)
      .replace(STYLES, (styles) => reader + styles);
    return reply.header('cache-control', NO_STORE).type(HTML).send(hinted);
  };
  app.get('/', page);
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    if (!READS.has(request.method) || path.startsWith('/api/') || path.startsWith('/assets/')) throw notFound('This address was');
    if (!isFile(path)) return page(request, reply);
    if (!/text\/html/.test(request.headers.accept ?? '')) throw notFound('This address was');
    // When a browser opens the URL of a missing file, it gets the HTML page, which shows that the path does not exist (spec §2).
    return reply.code(404).header('cache-control', NO_STORE).type(HTML).send(themed(request));
  });
}
