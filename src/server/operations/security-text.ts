// Whom to tell of a weakness (RFC 9116). Without a contact there is no such file: one that leads nowhere is worse than none.
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import type { AppContext } from '../http/pipeline/route.ts';

/** The standard wants less than a year; whoever reads it reads it anew. */
const VALID = 300 * 86_400_000;

export function serveSecurityText(app: FastifyInstance, { env, now }: Pick<AppContext, 'env' | 'now'>): void {
  app.get('/.well-known/security.txt', async (_, reply) => {
    if (env.securityContact === null) throw notFound('This address was');
    // The source, SECURITY.md in it, is offered to everybody there.
    const policy = env.sourceUrl ?? `${env.publicUrl}/source`;
    const fields = {
      Contact: env.securityContact,
      Expires: new Date(now().getTime() + VALID).toISOString(),
      'Preferred-Languages': 'en',
      Canonical: `${env.publicUrl}/.well-known/security.txt`,
      Policy: policy,
    };
    // The standard allows no address of http in it.
    const lines = Object.entries(fields)
      .filter(([, value]) => !value.startsWith('http:'))
      .map(([name, value]) => `${name}: ${value}\n`);
    return await reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(lines.join(''));
  });
}
