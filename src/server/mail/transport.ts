// A rendered mail, and the outcome of sending it by SMTP or into a file.

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface Message {
  /** The row's id, which is the name of the file. */
  readonly id: number;
  /** The same for every attempt, so that a receiver can recognize a duplicate. */
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

/** `again`: certainly not accepted, and to be tried again. `unknown`: it may have been accepted. */
export interface Outcome {
  readonly status: 'sent' | 'again' | 'failed' | 'unknown';
  readonly response: string;
}

export interface SendHooks {
  /** Runs before the first byte is sent. When it throws, nothing is sent. */
  readonly begin: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface MailTransport {
  /** Never throws. */
  send(message: Message, handing: SendHooks): Promise<Outcome>;
  close(): void;
}

/** The mail in nodemailer's format. Addresses are objects, so that no part of them is parsed as a list or a header. */
export const toNodemailerMessage = ({ messageId, date, from, to, replyTo, subject, html, text, headers }: Message) => ({
  messageId,
  date,
  from,
  subject,
  html,
  text,
  to: { name: '', address: to },
  ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
  envelope: { from: from.address, to: [to] },
  headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
});
