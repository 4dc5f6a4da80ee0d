// Section 13 of the AGPL requires that users over a network are offered the source of the running version, including changes.
import type { FastifyInstance } from 'fastify';
import type { Env } from './env.ts';
import { link, mailPage, paragraph } from '../../shared/mail/email-page.ts';

const PAGE = mailPage({
  heading: 'Source code',
  blocks: [
    paragraph('Feastday is free software under the GNU Affero General Public License, version 3 or, at your option, any later one.'),
    paragraph(
      'You may have the source code of the version that runs here, with every change made to it, at no charge. Ask whoever runs this server for it.',
    ),
    link('Read the licence', 'https://www.gnu.org/licenses/agpl-3.0.html'),
  ],
  footer: [],
}).html;

export function serveSource(app: FastifyInstance, { sourceUrl }: Env): void {
  app.get('/source', async (_, reply) => {
    void reply.header('cache-control', 'no-cache');
    return sourceUrl === null ? reply.type('text/html; charset=utf-8').send(PAGE) : reply.redirect(sourceUrl);
  });
}
