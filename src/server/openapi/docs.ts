// Serves the OpenAPI document, and the swagger-ui page that shows it. The document is generated at the first request.
import serve from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileURLToPath } from 'node:url';
import { lazyValue } from '../../shared/lazy-value.ts';
import { permanentBody, sendCachedBody } from '../web/body-cache.ts';
import { isResolved } from '../web/static.ts';

const DOCUMENT = '/api/openapi.json';
const PATH = '/api/docs';
const FILES = `${PATH}/static/`;
const START = `${PATH}/start.js`;

/**
 * The folder with the built files of swagger-ui. The package itself is not imported, because this would slow every start for a page that is
 * rarely opened.
 */
const SWAGGER_UI = fileURLToPath(new URL('static', import.meta.resolve('@fastify/swagger-ui')));

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

export async function serveDocs(app: FastifyInstance, make: () => Record<string, unknown>): Promise<void> {
  // The document is compressed once instead of for each request, because anybody may request it.
  const document = lazyValue(() => permanentBody(JSON.stringify(make())));
  app.get(DOCUMENT, async (request, reply) => await sendCachedBody(request, reply, await document()));
  const page = async (_: FastifyRequest, reply: FastifyReply) => reply.type('text/html; charset=utf-8').send(PAGE);
  app.get(PATH, page);
  app.get(`${PATH}/`, page);
  app.get(START, async (_, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
  await app.register(serve, { root: SWAGGER_UI, prefix: FILES, index: false, decorateReply: false, allowedPath: isResolved });
}
