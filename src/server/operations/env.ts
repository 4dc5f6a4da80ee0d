// Reads the environment variables once at start (contract §1). The error for an invalid value says in one line what to write instead.
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { passwordProblem } from '../../domain/accounts/account.ts';
import { Email } from '../../shared/fields.ts';

export interface Env {
  port: number;
  host: string;
  /** The application's origin, without a trailing slash. */
  publicUrl: string;
  /** The URL of the database. Null for the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The URL of the SMTP server. Null if mails are written to files. */
  smtpUrl: string | null;
  mailFrom: string;
  /** The admin's e-mail address is in lower case, and the admin's password has no surrounding spaces. */
  admin: { email: string; password: string } | null;
  /** The number of proxies between the clients and the server. */
  trustProxy: number;
  sessionDays: number;
  /** The maximum number of saves of one customer per minute. With 0 there is no limit. */
  savesPerMinute: number;
  /** The number of hours between two automatic backups. With 0, no automatic backups are made. */
  backupHours: number;
  /** The number of automatic backups that are kept. */
  backupKeep: number;
  /** The absolute path of a program that copies a finished backup to another place. Null if no program is set. */
  backupCommand: string | null;
  /** The number of days between two restore drills. With 0, no drills are made. */
  restoreDrillDays: number;
  corsOrigins: string[];
  /** The URL of this version's source code. Null if users have to ask the operator for it. */
  sourceUrl: string | null;
  /** A mailto: or https: URL for security reports. Null if no contact is published. */
  securityContact: string | null;
  logLevel: LogLevel;
  /** The token with which other machines may read the metrics. Null if other machines may not read them. */
  metricsToken: string | null;
  /** The key that encrypts the secrets of code apps. Null if they are stored unencrypted. */
  secondFactorKey: string | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The error for an invalid value of a variable. Its message is one line with the name of the variable, what is wrong with the value, and a
 * valid example. The message never contains a secret.
 */
export class InvalidEnvError extends Error {
  override name = 'InvalidEnvError';
}

const bad = (name: string, fault: string, example: string): InvalidEnvError =>
  new InvalidEnvError(`${name} ${fault}. Example: ${name}=${example}`);

/** Returns an invalid value as an error message shows it: on one line, in quotes, and without the user name and password of a URL. */
const shown = (value: string): string => JSON.stringify(value.replace(/\/\/.*@/su, '//…@').slice(0, 100));

const urlOf = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

/** Returns the origin in `value`, or null if `value` has a path, a query, a user name or another protocol than http and https. */
function originOf(value: string): string | null {
  const url = urlOf(value);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && !/[?#]/.test(value);
  return isOrigin ? url.origin : null;
}

/** Reads a variable. An empty value counts as not set, because compose files pass an unset variable as an empty value. */
type Read = (name: string) => string | null;

function wholeNumber(read: Read, name: string, { least, most, fallback }: { least: number; most: number; fallback: number }): number {
  const text = read(name) ?? String(fallback);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw bad(name, `must be a whole number between ${least} and ${most}, not ${shown(text)}`, String(fallback));
}

function hostOf(read: Read): string {
  const host = read('HOST') ?? '127.0.0.1';
  if (/^[\w.:-]+$/.test(host)) return host;
  throw bad('HOST', `must be an address or a name of this machine, not ${shown(host)}`, '127.0.0.1');
}

function publicUrlOf(read: Read, port: number): string {
  const text = read('PUBLIC_URL') ?? `http://localhost:${port}`;
  const origin = originOf(text);
  if (origin !== null) return origin;
  throw bad('PUBLIC_URL', `must be an http or https address without a path, not ${shown(text)}`, 'https://orders.example.org');
}

/** Reads a URL that contains a password. The error message never shows its value. */
function secretUrl(read: Read, name: string, { protocols, example }: { protocols: string[]; example: string }): string | null {
  const text = read(name);
  if (text === null) return null;
  const url = urlOf(text);
  if (url && protocols.includes(url.protocol) && (url.hostname !== '' || url.protocol.startsWith('postgres'))) return text;
  throw bad(name, `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`, example);
}

const isEmail = (text: string): boolean => Email.safeParse(text).success;

function mailFromOf(read: Read, publicUrl: string): string {
  const text = read('MAIL_FROM') ?? `Feastday <feastday@${new URL(publicUrl).hostname}>`;
  const address = /^[^<>"\r\n]*<([^<>]*)>$/.exec(text)?.[1] ?? text;
  if (read('MAIL_FROM') === null || isEmail(address)) return text;
  throw bad('MAIL_FROM', `must be an e-mail address, with or without a name, not ${shown(text)}`, 'Feastday <orders@example.org>');
}

function adminOf(read: Read): Env['admin'] {
  const email = read('ADMIN_EMAIL')?.toLowerCase() ?? null;
  const password = read('ADMIN_PASSWORD');
  if (email !== null && !isEmail(email)) throw bad('ADMIN_EMAIL', `must be an e-mail address, not ${shown(email)}`, 'you@example.org');
  const problem = password === null ? null : passwordProblem(password);
  if (problem !== null) throw bad('ADMIN_PASSWORD', problem.replace('Password ', ''), 'Three-Sheep-42');
  if (email !== null && password !== null) return { email, password };
  if (email !== null) throw bad('ADMIN_PASSWORD', 'must be set together with ADMIN_EMAIL', 'Three-Sheep-42');
  if (password !== null) throw bad('ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD', 'you@example.org');
  return null;
}

function backupCommandOf(read: Read): string | null {
  const path = read('BACKUP_COMMAND');
  if (path === null || isProgram(path)) return path;
  throw bad(
    'BACKUP_COMMAND',
    `must be the absolute path of a program that this user may run, not ${shown(path)}`,
    '/usr/local/bin/copy-backup',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isAbsolute(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}

function corsOriginsOf(read: Read): string[] {
  const entries = (read('CORS_ORIGINS') ?? '').split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const origin = originOf(entry);
    if (origin !== null) return origin;
    const fault = `must be a list of origins separated by commas, and ${shown(entry)} is none`;
    throw bad('CORS_ORIGINS', fault, 'https://shop.example.org,https://www.example.org');
  });
}

function sourceUrlOf(read: Read): string | null {
  const text = read('SOURCE_URL');
  if (text === null || /^https?:$/.test(urlOf(text)?.protocol ?? '')) return text;
  throw bad('SOURCE_URL', `must be an http or https address, not ${shown(text)}`, 'https://git.example.org/feastday');
}

/** Returns the sender's e-mail address, or null for a no-reply address, whose mails nobody reads. */
function readMailbox(read: Read): string | null {
  const from = read('MAIL_FROM');
  const address = /<([^<>]*)>$/.exec(from ?? '')?.[1] ?? from;
  return address !== null && /not?[-_.]?reply[^@]*@/i.test(address) ? null : address;
}

/**
 * Returns SECURITY_CONTACT, or the sender's address if SECURITY_CONTACT is not set. The admin's address is never published, because signing
 * in as the admin requires it.
 */
function securityContactOf(read: Read): string | null {
  const text = read('SECURITY_CONTACT') ?? readMailbox(read);
  if (text === null) return null;
  const address = text.replace(/^mailto:/i, '');
  if (isEmail(address)) return `mailto:${address}`;
  if (urlOf(text)?.protocol === 'https:' && !/\s/.test(text)) return text;
  throw bad('SECURITY_CONTACT', `must be an e-mail address or an https address, not ${shown(text)}`, 'security@example.org');
}

function logLevelOf(read: Read): LogLevel {
  const text = read('LOG_LEVEL') ?? 'info';
  const level = LOG_LEVELS.find((known) => known === text);
  if (level) return level;
  throw bad('LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}, not ${shown(text)}`, 'info');
}

function secretOf(read: Read, name: string, { least, example }: { least: number; example: string }): string | null {
  const secret = read(name);
  const isSecret = secret !== null && /^[\x21-\x7e]{1,200}$/.test(secret) && secret.length >= least && secret !== example;
  if (secret === null || isSecret) return secret;
  throw bad(name, `must be ${least} to 200 visible characters of your own`, example);
}

/** Returns the values of all variables. Throws an `InvalidEnvError` at the first invalid value. */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  const read: Read = (name) => source[name]?.trim() || null;
  const port = wholeNumber(read, 'PORT', { least: 0, most: 65_535, fallback: 3000 });
  const publicUrl = publicUrlOf(read, port);
  return {
    port,
    host: hostOf(read),
    publicUrl,
    databaseUrl: secretUrl(read, 'DATABASE_URL', {
      protocols: ['postgres:', 'postgresql:'],
      example: 'postgres://user:password@localhost:5432/feastday',
    }),
    dataDir: read('DATA_DIR') ?? 'data',
    smtpUrl: secretUrl(read, 'SMTP_URL', { protocols: ['smtp:', 'smtps:'], example: 'smtp://user:password@mail.example.org:587' }),
    mailFrom: mailFromOf(read, publicUrl),
    admin: adminOf(read),
    trustProxy: wholeNumber(read, 'TRUST_PROXY', { least: 0, most: 10, fallback: 0 }),
    sessionDays: wholeNumber(read, 'SESSION_DAYS', { least: 1, most: 365, fallback: 7 }),
    savesPerMinute: wholeNumber(read, 'SAVES_PER_MINUTE', { least: 0, most: 100_000, fallback: 120 }),
    backupHours: wholeNumber(read, 'BACKUP_HOURS', { least: 0, most: 8760, fallback: 24 }),
    backupKeep: wholeNumber(read, 'BACKUP_KEEP', { least: 1, most: 10_000, fallback: 14 }),
    backupCommand: backupCommandOf(read),
    restoreDrillDays: wholeNumber(read, 'RESTORE_DRILL_DAYS', { least: 0, most: 365, fallback: 7 }),
    corsOrigins: corsOriginsOf(read),
    sourceUrl: sourceUrlOf(read),
    securityContact: securityContactOf(read),
    logLevel: logLevelOf(read),
    metricsToken: secretOf(read, 'METRICS_TOKEN', { least: 16, example: '5f0c8a2e9b7d41c6a3e8' }),
    secondFactorKey: secretOf(read, 'SECOND_FACTOR_KEY', { least: 32, example: '9b7d41c6a3e85f0c8a2e9b7d41c6a3e8' }),
  };
}
