import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { makeCall } from '../../../client/api/fetch.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import type { OutgoingMail } from '../contract.ts';
import { joinedMessages } from '../texts.ts';
import { useSending, type EmailToSend } from './use-sending.ts';

type Sent = { to: string[]; key: string | null; subjects: string[] };

const LETTER: EmailToSend = { subject: 'Pick-up', html: '<p>At noon.</p>', replyTo: 'office@mail.test' };
const families = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    userId: index + 1,
    email: `family${index + 1}@mail.test`,
    firstName: null,
    lastName: null,
  }));
const OK = (mails: number) => Response.json({ message: `${mails} e-mails are on their way.` }, { headers: { 'x-request-id': 'id-1' } });

/** The server responds to the n-th call with the n-th of these responses, and to all later calls with success. */
function mailing(...answers: readonly (Response | 'no answer' | null)[]) {
  const sent: Sent[] = [];
  const call = makeCall({
    host: '',
    fetch: async (_path, { body, headers }) => {
      const mails = JSON.parse(body as string) as OutgoingMail[];
      sent.push({
        to: mails.map(({ to }) => to),
        key: new Headers(headers).get('Idempotency-Key'),
        subjects: [...new Set(mails.map(({ subject }) => subject))],
      });
      const answer = answers[sent.length - 1];
      if (answer === 'no answer') throw new TypeError('Failed to fetch');
      return answer ?? OK(mails.length);
    },
  });
  const client = makeQueryClient();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
    <CallContext value={call}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </CallContext>
  );
  const left: number[] = [];
  const unsure: number[] = [];
  const said: (readonly string[])[] = [];
  const options = {
    onProgress: (people: readonly unknown[], ofCall: readonly unknown[]) => {
      unsure.push(ofCall.length);
      if (ofCall.length === 0) left.push(people.length);
    },
    onSent: (messages: readonly string[]) => void said.push(messages),
  };
  const { result } = renderHook(() => useSending(options), { wrapper });
  return { sent, left, unsure, said, result };
}

afterEach(() => {
  dismissToasts();
  cleanup();
});

test('useSending sends an e-mail to 450 recipients in three calls of at most 200 recipients, each call with its own idempotency key and no recipient in two calls (contract §2)', async () => {
  const { sent, left, said, result } = mailing();
  act(() => result.current.start(LETTER, families(450)));
  await waitFor(() => expect(said).toHaveLength(1));
  expect(sent.map(({ to }) => to.length)).toEqual([200, 200, 50]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  expect(new Set(sent.flatMap(({ to }) => to)).size).toBe(450);
  expect(left).toEqual([250, 50, 0]);
  expect(joinedMessages(said[0] ?? [])).toBe('450 e-mails are on their way.');
  expect(result.current.sending).toBeNull();
});

test('useSending stops at a call that gets no response, and on request repeats that call unchanged under the same idempotency key', async () => {
  const { sent, unsure, said, result } = mailing(null, 'no answer');
  act(() => result.current.start(LETTER, families(450)));
  await waitFor(() => expect(result.current.sending).toMatchObject({ isStopped: true, sent: 200, total: 450, mustRepeat: true }));
  // Each call has up to 200 recipients. They are unsure while the call runs. After the first call they no longer are, because it succeeded;
  // those of the second call stay so, because it got no reply.
  expect(unsure).toEqual([200, 0, 200]);
  act(() => result.current.resume());
  await waitFor(() => expect(said).toHaveLength(1));
  expect(sent.map(({ to }) => to.length)).toEqual([200, 200, 200, 50]);
  expect(sent[2]).toEqual(sent[1]);
  expect(new Set([sent[0], sent[1], sent[3]].flatMap((one) => one?.to ?? [])).size).toBe(450);
});

test('useSending repeats a call whose reply was lost unchanged, even if a later attempt was refused because the session has ended (contract §2)', async () => {
  const ended = new Response('Please sign in.', { status: 401, headers: { 'x-request-id': 'id-1' } });
  const { sent, unsure, said, result } = mailing('no answer', ended);
  act(() => result.current.start(LETTER, families(2)));
  const isStopped = { isStopped: true, mustRepeat: true };
  await waitFor(() => expect(result.current.sending).toMatchObject(isStopped));
  act(() => result.current.resume());
  await waitFor(() => expect(sent).toHaveLength(2));
  await waitFor(() => expect(result.current.sending).toMatchObject(isStopped));
  expect(unsure.at(-1)).toBe(2);
  act(() => result.current.resume());
  await waitFor(() => expect(said).toHaveLength(1));
  expect(sent[2]).toEqual(sent[0]);
});

test('useSending lets the user change the e-mail after the server refused it, and sends the new version to the remaining recipients only', async () => {
  const { sent, left, said, result } = mailing(null, new Response('At most 10000 e-mails', { status: 429 }));
  act(() => result.current.start(LETTER, families(250)));
  await waitFor(() => expect(result.current.sending).toMatchObject({ isStopped: true, sent: 200, mustRepeat: false }));
  expect(left).toEqual([50, 50]);
  act(() => result.current.forget());
  expect(result.current.sending).toBeNull();
  act(() => result.current.start({ ...LETTER, subject: 'Shorter' }, families(250).slice(200)));
  await waitFor(() => expect(said).toHaveLength(1));
  expect(sent[2]?.subjects).toEqual(['Shorter']);
  expect(sent[2]?.to[0]).toBe('family201@mail.test');
});

test('useSending sends a long e-mail to fewer recipients per request, so that each request body stays below 4 MB', async () => {
  const { sent, said, result } = mailing();
  act(() => result.current.start({ ...LETTER, html: 'x'.repeat(100_000) }, families(60)));
  await waitFor(() => expect(said).toHaveLength(1));
  expect(sent.map(({ to }) => to.length)).toEqual([34, 26]);
});

test("useSending combines the server's messages about several calls into one message", () => {
  expect(joinedMessages(['200 e-mails are on their way. 1 person has unsubscribed and gets none.', '1 e-mail is on its way.'])).toBe(
    '201 e-mails are on their way. 1 person has unsubscribed and gets none.',
  );
});
