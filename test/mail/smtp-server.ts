// Runs a real SMTP server on the loopback address. A test can make it fail in every phase of a mail. The server records the mails that it
// has accepted.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import PostalMime, { type Email } from 'postal-mime';

type Refusal = `${'connect' | 'mail' | 'rcpt' | 'body'}${421 | 451 | 550}`;
/**
 * Says how the server fails. A name with a number means that it responds with this code in this phase. With `dropInBody`, it disconnects
 * while it receives the mail. With `dropAfterBody`, it accepts the mail and disconnects before it responds.
 */
export type Fault = Refusal | 'dropAtRcpt' | 'dropInBody' | 'dropAfterBody';
/**
 * The phases in which the server receives a mail. `data` is the first chunk of the body. `body` is the time after the end of the body and
 * before the response.
 */
export type Phase = 'connect' | 'mail' | 'rcpt' | 'data' | 'body' | 'answered';

export interface Taken {
  readonly recipients: readonly string[];
  readonly from: string;
  readonly raw: string;
}

export interface Smtp {
  readonly url: string;
  /** All accepted mails, including mails for which the server did not send its response. */
  readonly taken: Taken[];
  /**
   * The server calls this function in each phase. It returns how the server must fail, or null if it must not fail. The recipient is ''
   * before it is known.
   */
  fault: (recipient: string, phase: Phase) => Fault | null;
  /** The number of milliseconds that the server waits before it responds to a mail. */
  slowness: number;
  /** The server also waits for this promise before it responds to a mail. */
  held: Promise<void>;
  connections: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const refusal = (code: number): Error => Object.assign(new Error(`${code} as told`), { responseCode: code });

function codeOf(fault: Fault | null, phase: Phase): number | null {
  const code = fault?.startsWith(phase) ? Number(fault.slice(phase.length)) : Number.NaN;
  return Number.isNaN(code) ? null : code;
}

interface Connections {
  readonly connections: ReadonlySet<{ readonly id: string; readonly _socket: Socket }>;
}

function listen(smtp: Smtp, port: number): SMTPServer {
  const drop = (session: SMTPServerSession): void => {
    for (const { id, _socket } of (server as unknown as Connections).connections) if (id === session.id) _socket.destroy();
  };
  const phase = (name: Phase, recipient: string, callback: (error?: Error | null) => void): void => {
    const code = codeOf(smtp.fault(recipient, name), name);
    callback(code === null ? null : refusal(code));
  };
  const respond = async (recipient: string, callback: () => void): Promise<void> => {
    await Promise.all([pause(smtp.slowness), smtp.held]);
    callback();
    smtp.fault(recipient, 'answered');
  };
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onConnect: (_session, callback) => ((smtp.connections += 1), phase('connect', '', callback)),
    onMailFrom: (_address, _session, callback) => phase('mail', '', callback),
    onRcptTo: ({ address }, session, callback) => {
      const fault = smtp.fault(address, 'rcpt');
      const code = codeOf(fault, 'rcpt');
      if (fault === 'dropAtRcpt') drop(session);
      else callback(code === null ? null : refusal(code));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      const recipient = recipients[0] ?? '';
      stream.once('data', () => smtp.fault(recipient, 'data') === 'dropInBody' && drop(session));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const fault = smtp.fault(recipient, 'body');
        if (fault === 'dropInBody') return;
        const code = codeOf(fault, 'body');
        if (code !== null) return callback(refusal(code));
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        smtp.taken.push({ recipients, from, raw: Buffer.concat(chunks).toString('utf8') });
        if (fault === 'dropAfterBody') drop(session);
        else void respond(recipient, callback);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  return server;
}

export async function startSmtp(): Promise<Smtp> {
  let server: SMTPServer | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    server = listen(smtp, port);
    await once(server.server, 'listening');
    port = (server.server.address() as AddressInfo).port;
  };
  const stop = (): Promise<void> => new Promise((resolve) => (server ? server.close(resolve) : resolve()));
  const made = { taken: [], fault: () => null, slowness: 0, held: Promise.resolve(), connections: 0, start, stop };
  const smtp: Smtp = Object.defineProperty({ ...made, url: '' }, 'url', { get: () => `smtp://127.0.0.1:${port}` });
  await start();
  return smtp;
}

export const parsed = (taken: Taken | undefined): Promise<Email> => PostalMime.parse(taken?.raw ?? '');
