// Parses JSON bodies only. A parse error is stored; `validate` throws it after 401 and 403.
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

const errors = new WeakMap<FastifyRequest, Error>();

export const bodyErrorOf = (request: FastifyRequest): Error | undefined => errors.get(request);

/** An empty body counts as none. Prototype keys are dropped like every unknown field. */
export function parseJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    void parse(request, body as string, (error, value) => {
      if (error) errors.set(request, error);
      done(null, value);
    });
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, _body, done) => {
    errors.set(request, new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    done(null, undefined);
  });
}
