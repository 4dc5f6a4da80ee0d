// The contact for security reports (RFC 9116). Without a contact there is no file, because a contact that nobody reads is worse than none.
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import type { AppContext } from '../http/pipeline/route.ts';

/** The RFC recommends less than a year; the file is generated at each request. */
const VALID = 300 * 86_400_000;

export function serveSecurityText(app: FastifyInstance, { env, now }: Pick<AppContext, 'env' | 'now'>): void {
  app.get('/.well-known/security.txt', async (_, reply) => {
    if (env.securityContact === null) throw notFound('This address was');
    // The source, which contains SECURITY.md, is available there.
    const policy = env.sourceUrl ?? `${env.publicUrl}/source`;
    const fields = {
      Contact: env.securityContact,
      Expires: new Date(now().getTime() + VALID).toISOString(),
      'Preferred-Languages': 'en',
      Canonical: `${env.publicUrl}/.well-known/security.txt`,
      Policy: policy,
    };
    // The RFC forbids http URLs.
    const lines = Object.entries(fields)
      .filter(([, value]) => !value.startsWith('http:'))
      .map(([name, value]) => `${name}: ${value}\n`);
    return await reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(lines.join(''));
  });
}
