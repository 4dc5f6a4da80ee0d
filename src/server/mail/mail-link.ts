// Serves the page behind a mailed link. GET only shows a form, because programs that scan mails follow links. POST does the action. It
// needs no session, and other sites may send it (RFC 8058).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { AppContext } from '../http/pipeline/route.ts';
import { asMember, publicMember } from '../database/tenant-connections.ts';
import { clientAddress } from '../http/client-address.ts';
import { ALLOW_CROSS_SITE } from '../http/csrf.ts';

export interface MailLink {
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** Returns the page, or null for an unknown token. */
  readonly ask: (context: AppContext, token: string) => Promise<string | null>;
  readonly act: (context: AppContext, token: string) => Promise<string | null>;
  readonly noSuchLink: () => string;
}

/** With this referrer policy, browsers send the Origin header when the user submits the form of the page. */
const HEADERS = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'same-origin' };

const asPublic = <Result>(request: FastifyRequest, job: () => Promise<Result>): Promise<Result> =>
  asMember(publicMember(clientAddress(request)), job);

export async function mountMailLink(app: FastifyInstance, { path, ask, act, noSuchLink }: MailLink, context: AppContext): Promise<void> {
  const answer = (reply: FastifyReply, page: string | null): FastifyReply =>
    reply
      .code(page === null ? 404 : 200)
      .headers(HEADERS)
      .send(page ?? noSuchLink());
  await app.register(async (scope) => {
    // The route ignores the body of the request, whatever its content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
    scope.get<{ Params: { token: string } }>(path, async (request, reply) =>
      answer(reply, await asPublic(request, () => ask(context, request.params.token))),
    );
    scope.post<{ Params: { token: string } }>(path, { config: ALLOW_CROSS_SITE as object }, async (request, reply) =>
      answer(reply, await asPublic(request, () => act(context, request.params.token))),
    );
  });
}
