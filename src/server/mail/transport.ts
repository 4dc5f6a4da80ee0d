// Contains the types of a rendered mail, and of the outcome of sending it by SMTP or writing it to a file. Encodes mails.
import { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { ownLoop } from '../queues/event-loop.ts';

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface Message {
  /** The id of the mail's row. The file of the mail has this id as its name. */
  readonly id: number;
  /** The Message-ID is the same for every attempt, so that a receiver can recognize a duplicate. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
}

/**
 * `again` means that the SMTP server has certainly not accepted the mail, so the worker tries again later. `unknown` means that the SMTP
 * server may have accepted the mail.
 */
export interface Outcome {
  readonly status: 'sent' | 'again' | 'failed' | 'unknown';
  readonly response: string;
}

export interface SendHooks {
  /** Must be called before the first byte of the mail is sent. If it throws, nothing may be sent. */
  readonly begin: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface MailTransport {
  /** Sends the mail. It never throws: a failure is part of the outcome. */
  send(message: Message, handing: SendHooks): Promise<Outcome>;
  close(): void;
}

/** The number of bytes that are processed in one iteration of the event loop. A longer slice would delay other requests. */
const SLICE = 16 * 1024;

/** Yields the bytes in slices, each in an iteration of the event loop of its own. */
export async function* inSlices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += SLICE) {
    await ownLoop();
    yield bytes.subarray(from, from + SLICE);
  }
}

/** Returns a long text as a stream of slices, because nodemailer would process a string at once. */
function sliced(text: string): string | Readable {
  const bytes = Buffer.from(text);
  return bytes.length > SLICE ? Readable.from(inSlices(bytes)) : text;
}

/** Converts a mail to nodemailer's format. The addresses are objects, so that nodemailer parses no part of them as a list or a header. */
const toNodemailerMessage = ({ messageId, date, from, to, replyTo, subject, headers }: Message) => ({
  messageId,
  date,
  from,
  subject,
  to: { name: '', address: to },
  ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
  headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
});

async function encode(message: Message, parts: Pick<SendMailOptions, 'html' | 'text'>): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const { message: encoded } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    ...toNodemailerMessage(message),
    ...parts,
  });
  return encoded as Buffer;
}

/** Encodes the mail and its headers, as they are sent. */
export const encodeMail = (message: Message): Promise<Buffer> =>
  encode(message, { html: sliced(message.html), text: sliced(message.text) });

/** Returns a part of a mail as it is. The encoding "binary" allows lines of any length (RFC 2045, section 2.9). */
const unencoded = (subtype: string, content: string) => ({
  raw: sliced(
    `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: binary\r\n\r\n${content.replaceAll(/\r?\n/g, '\r\n')}`,
  ),
});

/** Encodes the mail for a file. Its links are in one line, so that they can be copied from a text editor. */
export const encodeMailFile = (message: Message): Promise<Buffer> =>
  encode(message, { html: unencoded('html', message.html), text: unencoded('plain', message.text) });
