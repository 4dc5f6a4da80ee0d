// Sends the due mails of the emails log (contract §8). Several workers may run at once. A crash neither loses nor duplicates a mail.
import { setTimeout as pause } from 'node:timers/promises';
import { transaction, type Db } from '../database/db.ts';
import type { AppContext } from '../http/pipeline/route.ts';
import type { Env } from '../operations/env.ts';
import { Email } from '../../shared/fields.ts';
import type { MailTransport, Message, Outcome } from './transport.ts';
import { IDLE, pollingDelay } from './outbox-polling.ts';
import {
  beginSending,
  claimDue,
  deleteUnsent,
  endAttempt,
  endLost,
  hold,
  newRoundRobin,
  renewClaims,
  type AttemptEnd,
  type ClaimedMail,
  type Mail,
  type RoundRobin,
  type SentContent,
} from './outbox-rows.ts';
import type { MailKind } from '../database/schema.ts';
import { MINUTE, SECOND } from '../../domain/durations.ts';

/** A mail as it was rendered from the state at the time of sending. */
export interface RenderedEmail {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The display name of the sender. The sender's e-mail address is always that of the application. */
  readonly fromName?: string;
  readonly replyTo?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text that the log keeps instead of the whole HTML. */
  readonly logged?: string;
  /** A part of the mail that must stay secret. The log shows it as `...`. */
  readonly secret?: string;
  /** Runs in a transaction just before the mail is sent. */
  readonly onHandOver?: (db: Db) => Promise<void>;
}
/**
 * `suppressed` says why a mail is not sent, and the e-mail log shows this reason. Null deletes the mail's row, so that the log does not
 * list the mail: nobody expects a mail to a customer without an e-mail address.
 */
export interface SuppressedEmail {
  readonly suppressed: string | null;
}
/** `heldUntil` is the time when a mail may be sent at the earliest, because of a limit. The e-mail log shows the reason until then. */
export interface HeldEmail {
  readonly heldUntil: Date;
  readonly reason: string;
}
export interface RenderInput {
  readonly db: Db;
  readonly env: Env;
  readonly now: Date;
  readonly mail: Mail;
}
/** Instead of a mail, a renderer may return why the mail must not be sent now. */
export type Rendering = RenderedEmail | SuppressedEmail | HeldEmail | Outcome;
/** The functions that render the mails, one for each kind of mail. */
export type Renderers = Readonly<Record<MailKind, (writing: RenderInput) => Promise<Rendering>>>;

export interface Outbox extends AppContext {
  readonly transport: MailTransport;
  readonly renderers: Renderers;
  /** The tenant that this worker has served last, in each group of mails. */
  readonly turns: RoundRobin;
  readonly onError: (error: unknown) => void;
}

/** A worker that renders or sends a mail renews its claim. The mails of a killed worker can be claimed again when this lease has ended. */
const CLAIM_LEASE = 2 * MINUTE;
const RENEW_AFTER = 0.5 * MINUTE;
/**
 * The milliseconds for which an attempt to send a mail is leased. An attempt ends well before its lease, so that no other worker decides
 * about the mail while it is being sent.
 */
const SENDING_LEASE = 10 * MINUTE;
const MAX_ATTEMPT = 5 * MINUTE;
/** The delays before the next attempt: first half a minute, later up to an hour. The attempts end after one day. */
const DELAYS = [0.5, 1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE);
const MAX_ATTEMPTS = 30;

function endOf(outcome: Outcome, attempts: number, now: Date): AttemptEnd {
  if (outcome.status !== 'again') return { ...outcome, status: outcome.status, now };
  if (attempts >= MAX_ATTEMPTS) return { status: 'failed', response: `Given up after a day of attempts: ${outcome.response}`, now };
  return {
    status: 'queued',
    response: outcome.response,
    now,
    nextAttemptAt: new Date(now.getTime() + (DELAYS[attempts - 1] ?? 60 * MINUTE)),
  };
}

/**
 * Returns whether mail programs may show this name as an e-mail address. They decode names that are written as encoded words (RFC 2047),
 * which begin with `=?`. NFKC turns the full-width at sign into `@`.
 */
const mayShowAddress = (name: string): boolean => /@|=\?/.test(name.normalize('NFKC'));

/**
 * Returns the display name of the sender. A name that looks like an e-mail address is not used, because it would look forged beside the
 * real e-mail address.
 */
const nameOf = ({ fromName }: RenderedEmail): string | null => (fromName && !mayShowAddress(fromName) ? fromName : null);

function messageOf({ env }: Outbox, mail: Mail, rendered: RenderedEmail): Message {
  const [, name = '', address = env.mailFrom] = /^([^<]*)<([^>]*)>$/.exec(env.mailFrom) ?? [];
  // A server of an earlier version has queued a mail without a messageId.
  const unique = mail.messageId ?? `${mail.id}.${Date.parse(mail.createdAt).toString(36)}`;
  return {
    id: mail.id,
    messageId: `<${unique}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    from: { name: nameOf(rendered) ?? name.trim(), address: address.trim() },
    to: rendered.to,
    replyTo: rendered.replyTo ?? mail.replyTo,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    headers: rendered.headers ?? {},
    date: new Date(mail.createdAt),
  };
}

const isAddress = (text: string | null): boolean => text === null || Email.safeParse(text).success;

const withoutSecret = (html: string, secret: string | undefined): string => (secret ? html.replaceAll(secret, '...') : html);

async function write({ db, env, now, renderers, onError }: Outbox, mail: Mail): Promise<Rendering> {
  try {
    return await renderers[mail.kind]({ db, env, now: now(), mail });
  } catch (error) {
    onError(error);
    return { status: 'again', response: 'The e-mail could not be written.' };
  }
}

async function attempt(outbox: Outbox, mail: ClaimedMail, stopped: AbortSignal): Promise<void> {
  const { db, now, transport } = outbox;
  const rendering = await write(outbox, mail);
  const until = new Date(now().getTime() + SENDING_LEASE);
  if ('status' in rendering) return await endAttempt(db, mail, { end: endOf(rendering, mail.attempts + 1, now()), until });
  if ('heldUntil' in rendering) return await hold(db, mail, rendering);
  if ('suppressed' in rendering) {
    if (rendering.suppressed === null) return await deleteUnsent(db, mail);
    return await endAttempt(db, mail, { end: { status: 'suppressed', response: rendering.suppressed, now: now() }, until });
  }
  const message = messageOf(outbox, mail, rendering);
  const { name, address } = message.from;
  const html = withoutSecret(rendering.logged ?? rendering.html, rendering.secret);
  const written: SentContent = { ...message, from: name ? `${name} <${address}>` : address, html };
  const { onHandOver } = rendering;
  const begin = () =>
    onHandOver
      ? transaction(db, async (db) => {
          // The user's row is locked before the mail's row. A correction of the user's e-mail address takes the locks in the same sequence,
          // so that the two cannot deadlock.
          await onHandOver(db);
          await beginSending(db, mail, { until, written });
        })
      : beginSending(db, mail, { until, written });
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(MAX_ATTEMPT)]);
  const outcome: Outcome =
    isAddress(message.to) && isAddress(message.replyTo)
      ? await transport.send(message, { begin, signal })
      : { status: 'failed', response: 'This is not an e-mail address.' };
  await endAttempt(db, mail, { end: endOf(outcome, mail.attempts + 1, now()), until, written });
}

/** The mails that a worker is rendering or sending. Each promise resolves when the attempt to send the mail has ended. */
type Sending = Map<ClaimedMail, Promise<void>>;

/**
 * First, it renews the claims of the mails that are being sent, and gives the state "unknown" to mails whose worker died while sending
 * them. Then it claims due mails for the free places, and begins to render and send them. Returns the attempts, which continue. Each mail
 * is rendered in its own place, because rendering may take long: the confirmation of an order from a long catalogue waits in the queue of
 * expensive reads.
 */
async function startDue(outbox: Outbox, sending: Sending, stopped: AbortSignal): Promise<Promise<void>[]> {
  const { db, onError } = outbox;
  const now = outbox.now();
  const until = new Date(now.getTime() + CLAIM_LEASE);
  const isOld = ({ leases }: ClaimedMail): boolean => leases.every((end) => until.getTime() - end.getTime() >= RENEW_AFTER);
  await renewClaims(db, [...sending.keys()].filter(isOld), until);
  await endLost(db, now);
  const mails = await claimDue(db, outbox.turns, { now, until, sending: [...sending.keys()] });
  return mails.map((mail) => {
    // When an attempt fails here, for example because the connection to the database is lost, the row keeps its lease. When the lease ends,
    // the next worker decides about the mail.
    const ended = attempt(outbox, mail, stopped)
      .catch(onError)
      .finally(() => sending.delete(mail));
    sending.set(mail, ended);
    return ended;
  });
}

/** Claims a few due mails, and waits until all of them are sent. Returns the number of claimed mails. */
export async function deliverDue(outbox: Outbox): Promise<number> {
  const started = await startDue(outbox, new Map(), new AbortController().signal);
  await Promise.all(started);
  return started.length;
}

const STOP_GRACE = 3 * SECOND;

/**
 * Starts a worker that sends mails until it is stopped. When a mail has ended, the worker claims another one, also while others are still
 * being sent. When the worker is stopped, it finishes or aborts the mails that are being sent.
 */
export function startOutbox(options: Omit<Outbox, 'turns'>): { stop: () => Promise<void> } {
  const outbox = { ...options, turns: newRoundRobin() };
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const sending: Sending = new Map();
  const wait = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const send = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const began = Date.now();
      const started = await startDue(outbox, sending, breakingOff.signal).catch((error: unknown) => (outbox.onError(error), []));
      const worked = Date.now() - began;
      await Promise.race([...started, ...sending.values(), wait(IDLE)]);
      // During the pause, further mails may end. The next claim then fills several places.
      if (started.length > 0) await wait(pollingDelay(outbox.db, worked));
    }
    await Promise.all(sending.values());
  };
  const sent = send();
  return {
    async stop() {
      stopping.abort();
      const last = setTimeout(() => breakingOff.abort(), STOP_GRACE);
      await sent;
      clearTimeout(last);
      outbox.transport.close();
    },
  };
}
