import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';

import { fileTransport } from './file-transport.ts';

test('a link in the file of a mail is in one line, so that it can be copied from a text editor (contract §1)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-file-'));
  const link = `https://feast.example/auth?token=${'a1B-'.repeat(16)}`;
  const text = `Shalom, Noé!\n\nSet a password:\n${link}\n\n${'long '.repeat(300)}`;
  const html = `<p>Shalom, Noé!</p><p><a href="${link}">Set a password</a></p>`;
  const message = {
    id: 7,
    messageId: '<7@feast.example>',
    from: { name: 'Feastday', address: 'feastday@feast.example' },
    to: 'noa@test.example',
    replyTo: null,
    subject: 'Welcome',
    html,
    text,
    headers: {},
    date: new Date('2027-04-01T12:00:00Z'),
  };
  const begin = () => Promise.resolve();
  const { status } = await fileTransport(folder, () => undefined).send(message, { begin, signal: new AbortController().signal });
  expect(status).toBe('sent');
  const file = await readFile(join(folder, '7.eml'), 'utf8');
  expect(file.split('\r\n')).toContain(link);
  expect(file).toContain(`<a href="${link}">`);
  const mail = await PostalMime.parse(file);
  expect([mail.text?.trim(), mail.html?.trim()]).toEqual([text.trim(), html]);
  await rm(folder, { recursive: true });
});
