// Serves the contact for security reports as /.well-known/security.txt (RFC 9116). Without a contact there is no file, because a contact
// that nobody reads is worse than none.
import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors.ts';
import type { AppContext } from '../http/pipeline/route.ts';
import { DAY } from '../../domain/durations.ts';

/** The number of milliseconds until the file expires. The RFC recommends less than a year. The file is generated at each request. */
const VALID = 300 * DAY;

export function serveSecurityText(app: FastifyInstance, { env, now }: Pick<AppContext, 'env' | 'now'>): void {
  app.get('/.well-known/security.txt', async (_, reply) => {
    if (env.securityContact === null) throw notFound('This address was');
    // This URL leads to the source code, which contains SECURITY.md.
    const policy = env.sourceUrl ?? `${env.publicUrl}/source`;
    const fields = {
      Contact: env.securityContact,
      Expires: new Date(now().getTime() + VALID).toISOString(),
      'Preferred-Languages': 'en',
      Canonical: `${env.publicUrl}/.well-known/security.txt`,
      Policy: policy,
    };
    // The RFC forbids http URLs, so fields with such a URL are left out.
    const lines = Object.entries(fields)
      .filter(([, value]) => !value.startsWith('http:'))
      .map(([name, value]) => `${name}: ${value}\n`);
    return await reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(lines.join(''));
  });
}
