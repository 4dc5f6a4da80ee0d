// What a mail is when it leaves the house, by SMTP or into a file, and what may have become of it.

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface Message {
  /** Of the row; the file is named after it. */
  readonly id: number;
  /** The same at every attempt, so that a receiver can tell a mail that comes twice. */
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

/** `again`: certainly not taken, and worth another attempt. `unknown`: it may have been taken. */
export interface Outcome {
  readonly status: 'sent' | 'again' | 'failed' | 'unknown';
  readonly response: string;
}

export interface SendHooks {
  /** Runs before the first byte of the mail leaves. When it throws, nothing leaves. */
  readonly begin: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface MailTransport {
  /** Never throws. */
  send(message: Message, handing: SendHooks): Promise<Outcome>;
  close(): void;
}

/** As nodemailer takes it. Addresses are objects, so that nothing in them is ever read as a list or a header. */
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
