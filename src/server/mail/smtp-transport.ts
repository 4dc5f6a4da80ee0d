// Sends mails by SMTP. After each kind of failure, it determines whether the SMTP server may have accepted the mail (reliability R24, R25).
import { Readable } from 'node:stream';
import { encodeMail, inSlices, type SendHooks, type MailTransport, type Message, type Outcome } from './transport.ts';
import { SECOND } from '../../domain/durations.ts';

const CONNECTIONS = 5;

interface SmtpError extends Error {
  readonly code?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * Returns the outcome of a failed attempt. If `whole` is true, the whole mail was sent, so the SMTP server may have accepted the mail
 * before the connection was lost.
 */
export function outcomeOf(error: SmtpError, whole: boolean): Outcome {
  const response = error.response ?? error.message;
  const aboutTheMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  const answer = error.responseCode ?? 0;
  if (answer >= 400 && answer < 500) return { status: 'again', response };
  // Two kinds of refusals say nothing about the mail itself, so it is tried again. One is the code 503, which reports a wrong sequence of
  // commands. The other is a refusal during the greeting or the sign-in.
  if (answer >= 500 && answer < 600) return { status: aboutTheMail && answer !== 503 ? 'failed' : 'again', response };
  if (whole) return { status: 'unknown', response };
  return { status: aboutTheMail ? 'failed' : 'again', response };
}

class Passage {
  whole = false;
  readonly #begin: () => Promise<void>;
  constructor(begin: () => Promise<void>) {
    this.#begin = begin;
  }

  /**
   * Yields the mail's content to nodemailer, which reads it only after the SMTP server is ready to receive it. An SMTP server accepts a
   * mail only after the line that ends the mail, and nodemailer sends this line after the last chunk. While `whole` is false, the SMTP
   * server therefore cannot have accepted the mail.
   */
  async *body(input: Readable): AsyncGenerator<Buffer> {
    await this.#begin();
    for await (const chunk of input) yield* inSlices(chunk as Buffer);
    this.whole = true;
  }
}

async function openPool(url: string, passages: ReadonlyMap<string, Passage>) {
  const { createTransport } = await import('nodemailer');
  const pool = createTransport({
    pool: true,
    url,
    maxConnections: CONNECTIONS,
    // A pooled connection may break while it is idle, and nodemailer then sends the mail again on another connection. If bytes of the mail
    // may have been sent already, `begin` throws and prevents the second attempt.
    maxRequeues: 1,
    idleTimeout: 15 * SECOND,
    connectionTimeout: 15 * SECOND,
    greetingTimeout: 15 * SECOND,
    socketTimeout: 120 * SECOND,
  });
  pool.use('stream', (mail, done) => {
    const passage = passages.get(String(mail.data.messageId));
    if (passage) mail.message?.processFunc((input) => Readable.from(passage.body(input as Readable), { objectMode: false }));
    done(passage ? null : new Error('a mail that nobody sends'));
  });
  return pool;
}

/** The connection pool is created with the first mail, so that the server starts fast. */
export function smtpTransport(url: string): MailTransport {
  const passages = new Map<string, Passage>();
  let pool: ReturnType<typeof openPool> | undefined;
  const send = async (message: Message, { begin, signal }: SendHooks): Promise<Outcome> => {
    const passage = new Passage(begin);
    passages.set(message.messageId, passage);
    try {
      pool ??= openPool(url, passages);
      const { messageId, from, to } = message;
      const raw = await encodeMail(message);
      const { response } = await (await pool).sendMail({ messageId, envelope: { from: from.address, to: [to] }, raw, signal });
      return { status: 'sent', response: response ?? '' };
    } catch (error) {
      return outcomeOf(error as SmtpError, passage.whole);
    } finally {
      passages.delete(message.messageId);
    }
  };
  return { send, close: () => void pool?.then((opened) => opened.close()) };
}
