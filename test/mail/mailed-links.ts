// Contains functions that run the mail worker, collect its mails in a list, and find the links in the mails.
import type { Message } from '../../src/server/mail/transport.ts';
import { deliverAll, testOutbox } from './outbox.ts';
import type { TestApp } from '../test-app.ts';

export async function deliverMails(testApp: TestApp): Promise<Message[]> {
  const taken: Message[] = [];
  const outbox = testOutbox(testApp, {
    async send(message, { begin }) {
      await begin();
      taken.push(message);
      return { status: 'sent', response: '250 taken' };
    },
    close: () => undefined,
  });
  outbox.time = testApp.time;
  await deliverAll(outbox);
  if (outbox.errors.length > 0) throw new AggregateError(outbox.errors);
  return taken;
}

export async function mailedToken(testApp: TestApp, email: string): Promise<string> {
  const mail = (await deliverMails(testApp)).findLast(({ to }) => to === email);
  const token = /\/auth\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link was mailed to ${email}`);
  return token;
}

/** Returns the kinds of the mails that are logged for a user, the oldest first. */
export async function mailsTo(testApp: TestApp, userId: number): Promise<string[]> {
  const rows = await testApp.db.selectFrom('emails').select('kind').where('userId', '=', userId).orderBy('id').execute();
  return rows.map(({ kind }) => kind);
}
