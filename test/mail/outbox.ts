// Runs an outbox on the test's database. The outbox has its own clock, so that no test has to wait for a delay.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll } from 'vitest';
import { renderers } from '../../src/email-renderers.ts';
import { run } from '../../src/server/database/db.ts';
import { fileTransport } from '../../src/server/mail/file-transport.ts';
import { smtpTransport } from '../../src/server/mail/smtp-transport.ts';
import type { MailTransport } from '../../src/server/mail/transport.ts';
import { newRoundRobin } from '../../src/server/mail/outbox-rows.ts';
import { deliverDue, type Outbox } from '../../src/server/mail/outbox-worker.ts';
import { recordForeignCanaries } from '../tenant-leak-canaries.ts';
import type { TestApp } from '../test-app.ts';

export interface TestOutbox extends Outbox {
  time: Date;
  readonly errors: unknown[];
}

/** Returns a transport that searches each mail for the markers of other tenants before it sends the mail. */
const searched = (transport: MailTransport): MailTransport => ({
  async send(message, handing) {
    const { from, to, replyTo, subject, html, text, headers } = message;
    recordForeignCanaries(to, JSON.stringify([from, replyTo, subject, html, text, headers]), { what: 'a mail' });
    return await transport.send(message, handing);
  },
  close: () => transport.close(),
});

export function testOutbox(testApp: TestApp, transport: MailTransport): TestOutbox {
  const errors: unknown[] = [];
  const outbox: TestOutbox = {
    db: testApp.db,
    env: testApp.env,
    transport: searched(transport),
    renderers,
    turns: newRoundRobin(),
    errors,
    time: new Date(Math.max(Date.now(), testApp.time.getTime()) + 1000),
    now: () => outbox.time,
    onError: (error) => void errors.push(error),
  };
  return outbox;
}

export const smtpOutbox = (testApp: TestApp, url: string): TestOutbox => testOutbox(testApp, smtpTransport(url));

/** Sends mails until no mail is due. */
export async function deliverAll(outbox: Outbox): Promise<void> {
  while ((await deliverDue(outbox)) > 0);
}

export function later(outbox: TestOutbox, minutes: number): void {
  outbox.time = new Date(outbox.time.getTime() + minutes * 60_000);
}

export interface MailFolder {
  readonly path: string;
  readonly names: string[];
  /** Sends the due mails and returns those that were sent, the oldest first. */
  readonly send: (outbox?: TestOutbox) => Promise<Email[]>;
  readonly outbox: TestOutbox;
}

/** Creates an outbox that writes mails as files into a temporary folder. The function registers hooks that create and remove the folder. */
export function mailFolder(testApp: TestApp): MailFolder {
  const folder = { path: '', names: [] as string[], outbox: undefined as unknown as TestOutbox };
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'feastday-mail-'));
    folder.outbox = testOutbox(
      testApp,
      fileTransport(join(folder.path, 'mail'), (file) => void folder.names.push(file)),
    );
  });
  afterAll(() => rm(folder.path, { recursive: true, force: true }));
  const send = async (outbox = folder.outbox): Promise<Email[]> => {
    const from = folder.names.length;
    await deliverAll(outbox);
    const made = folder.names.slice(from).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return await Promise.all(made.map(async (file) => PostalMime.parse(await readFile(file))));
  };
  return Object.assign(folder, { send });
}

export const filesIn = (folder: MailFolder): Promise<string[]> => readdir(join(folder.path, 'mail'));

/**
 * Moves the due time of every queued confirmation into the past by this many minutes. A test cannot use its own clock here, because the
 * database's clock decides when a confirmation is due.
 */
export async function confirmedEarlier(testApp: TestApp, minutes: number): Promise<void> {
  await run(testApp.db, `UPDATE orders SET "confirmAt" = "confirmAt" - $1 * interval '1 minute'`, [minutes]);
  await run(testApp.db, `UPDATE emails SET "nextAttemptAt" = "nextAttemptAt" - $1 * interval '1 minute'`, [minutes]);
}
