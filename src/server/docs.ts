// The OpenAPI document and its readable form. Both are made when they are first asked for: few servers are ever asked, and all of them start.
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { madeOnce } from '../shared/made-once.ts';
import { notFound } from './errors.ts';

type Document = Record<string, unknown>;

const PATH = '/api/docs';
/** Of one connection, and so not of an answer that is handed on. */
const OF_CONNECTION = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** A small application of its own, because nothing can be added to one that listens already. */
async function readerOf(document: Document): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')]);
  const reader = fastify();
  await reader.register(swagger, { mode: 'static', specification: { document: document as never } });
  await reader.register(swaggerUi, { routePrefix: PATH, staticCSP: true });
  return reader;
}

export function serveDocs(app: FastifyInstance, make: () => Document): void {
  const document = madeOnce(make);
  app.get('/api/openapi.json', async () => document());
  let reader: Promise<FastifyInstance> | undefined;
  const open = (): Promise<FastifyInstance> =>
    (reader ??= readerOf(document()).catch((error: unknown) => {
      reader = undefined;
      throw error;
    }));
  const show = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    const answer = await (await open()).inject({ method: 'GET', url, headers });
    if (answer.statusCode === 404) throw notFound('This address was');
    for (const name of OF_CONNECTION) delete answer.headers[name];
    return reply.code(answer.statusCode).headers(answer.headers).send(answer.rawPayload);
  };
  app.get(PATH, show);
  app.get(`${PATH}/*`, show);
}
