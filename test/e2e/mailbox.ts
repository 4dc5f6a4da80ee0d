// Runs the mail worker and collects the mails that it sends, in place of a mail server.
import { renderers } from '../../src/email-renderers.ts';
import { readEnv } from '../../src/server/operations/env.ts';
import type { Message } from '../../src/server/mail/transport.ts';
import { newRoundRobin } from '../../src/server/mail/outbox-rows.ts';
import { deliverDue } from '../../src/server/mail/outbox-worker.ts';
import { expect, type E2eApp } from './fixtures.ts';

export async function mailbox(testApp: E2eApp): Promise<Message[]> {
  const taken: Message[] = [];
  const transport = {
    send: async (message: Message, { begin }: { begin: () => Promise<void> }) => {
      await begin();
      taken.push(message);
      return { status: 'sent' as const, response: '250 taken' };
    },
    close: () => undefined,
  };
  const failed: unknown[] = [];
  const outbox = {
    db: testApp.db,
    env: readEnv({ PUBLIC_URL: testApp.url }),
    transport,
    renderers,
    turns: newRoundRobin(),
    now: () => new Date(),
    onError: (error: unknown) => failed.push(error),
  };
  while ((await deliverDue(outbox)) > 0);
  expect(failed).toEqual([]);
  return taken;
}
