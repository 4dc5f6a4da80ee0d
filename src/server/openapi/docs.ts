// Serves the OpenAPI document, and the swagger-ui page that shows it. The document is generated at the first request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { lazyValue } from '../../shared/lazy-value.ts';
import { permanentBody, sendCachedBody, type CachedBody } from '../web/body-cache.ts';

const DOCUMENT = '/api/openapi.json';
const PATH = '/api/docs';
const FILES = `${PATH}/static/`;
const START = `${PATH}/start.js`;

/**
 * The folder with the built files of swagger-ui. The package itself is not imported, because this would slow every start for a page that is
 * rarely opened.
 */
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui'));
const FILE_TYPES = { 'swagger-ui.css': 'text/css; charset=utf-8', 'swagger-ui-bundle.js': 'text/javascript; charset=utf-8' };

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Feastday: every call</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="${FILES}swagger-ui.css">
  </head>
  <body>
    <div id="calls"></div>
    <script src="${FILES}swagger-ui-bundle.js"></script>
    <script src="${START}"></script>
  </body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({ url: '${DOCUMENT}', dom_id: '#calls', deepLinking: true, validatorUrl: null });\n`;

export function serveDocs(app: FastifyInstance, make: () => Record<string, unknown>): void {
  // Anybody may request the document and the files, so they are read and compressed once instead of for each request.
  const serveBody = (path: string, read: () => Promise<CachedBody>) => {
    const body = lazyValue(read);
    app.get(path, async (request, reply) => await sendCachedBody(request, reply, await body()));
  };
  serveBody(DOCUMENT, () => permanentBody(JSON.stringify(make())));
  for (const [file, type] of Object.entries(FILE_TYPES)) {
    serveBody(FILES + file, async () => permanentBody(await readFile(new URL(file, SWAGGER_UI), 'utf8'), type));
  }
  const page = async (_: FastifyRequest, reply: FastifyReply) => reply.type('text/html; charset=utf-8').send(PAGE);
  app.get(PATH, page);
  app.get(`${PATH}/`, page);
  app.get(START, async (_, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
}
