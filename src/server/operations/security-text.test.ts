import { expect, test } from 'vitest';
import { pino } from 'pino';
import { createApp } from '../http/app.ts';
import { readEnv } from './env.ts';
import { serveSecurityText } from './security-text.ts';

async function answerWith(source: NodeJS.ProcessEnv) {
  const env = readEnv({ PUBLIC_URL: 'https://orders.example.org', ...source });
  const app = await createApp(env, pino({ level: 'silent' }));
  serveSecurityText(app, { env, now: () => new Date('2027-04-01T12:00:00Z') });
  const answer = await app.inject({ method: 'GET', url: '/.well-known/security.txt' });
  await app.close();
  return answer;
}

test('security.txt contains a contact and an expiry date within a year (RFC 9116)', async () => {
  const { statusCode, headers, body } = await answerWith({
    SECURITY_CONTACT: 'security@example.org',
    SOURCE_URL: 'https://git.example.org/feastday',
  });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toBe(`Contact: mailto:security@example.org
Expires: 2028-01-26T12:00:00.000Z
Preferred-Languages: en
Canonical: https://orders.example.org/.well-known/security.txt
Policy: https://git.example.org/feastday
`);
});

test.each([
  [{ SECURITY_CONTACT: 'https://example.org/report' }, 'Contact: https://example.org/report'],
  [{ MAIL_FROM: 'Feastday <orders@example.org>' }, 'Contact: mailto:orders@example.org'],
  [{ MAIL_FROM: 'orders@example.org' }, 'Contact: mailto:orders@example.org'],
])(
  'the contact in security.txt is an e-mail address or a page, by default the sender of mails; the configuration is %j',
  async (source, line) => {
    expect((await answerWith(source)).body.split('\n')[0]).toBe(line);
  },
);

test.each(['no-reply@example.org', 'NoReply@example.org', 'Feastday <do-not-reply+orders@example.org>'])(
  'the sender %s is a no-reply address and is not used as a contact',
  async (address) => {
    expect((await answerWith({ MAIL_FROM: address })).statusCode).toBe(404);
    const own = { MAIL_FROM: address, SECURITY_CONTACT: 'security@example.org' };
    expect((await answerWith(own)).body).toContain('Contact: mailto:security@example.org\n');
  },
);

test('security.txt leaves out a URL that is not https, as RFC 9116 requires', async () => {
  const { body } = await answerWith({ PUBLIC_URL: 'http://orders.example.org', SECURITY_CONTACT: 'security@example.org' });
  expect(body).not.toMatch(/Policy|Canonical|http:/);
  const source = { PUBLIC_URL: 'http://orders.example.org', SOURCE_URL: 'https://git.example.org/feastday' };
  expect((await answerWith({ ...source, SECURITY_CONTACT: 'security@example.org' })).body).toContain(
    'Policy: https://git.example.org/feastday\n',
  );
});

test("security.txt does not exist without a contact, and never contains the admin's e-mail address", async () => {
  const { statusCode, body } = await answerWith({ ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'Three-Sheep-42' });
  expect([statusCode, body]).toEqual([404, 'This address was not found']);
});
