// Starts and stops the processes of the application. A start reads the environment variables, opens the database, and begins to serve
// requests or to send mails. A shutdown closes everything in reverse sequence.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { buildApi } from './api.ts';
import { ensureAdmin } from './features/auth/queries.ts';
import { storeClosings } from './features/distributions/queries.ts';
import { queueReminders } from './features/reminders/queries.ts';
import { renderers } from './email-renderers.ts';
import { BackupError } from './server/backup/file-format.ts';
import { startBackups } from './server/backup/schedule.ts';
import { openDb, type Db } from './server/database/db.ts';
import { InvalidEnvError, readEnv, type Env } from './server/operations/env.ts';
import { createConnectionDrain } from './server/operations/graceful-shutdown.ts';
import { fileTransport } from './server/mail/file-transport.ts';
import { smtpTransport } from './server/mail/smtp-transport.ts';
import { migrate } from './server/database/migrate.ts';
import { startOutbox } from './server/mail/outbox-worker.ts';
import { hashPassword } from './server/auth/password.ts';
import { startPostgres } from './server/database/embedded/postgres.ts';
import { startCleanup } from './server/operations/cleanup.ts';
import { openLog } from './server/operations/log.ts';
import { passOnExpiredHolds } from './features/waiting/queries.ts';
import { startPeriodicJob, type PeriodicJob } from './server/operations/periodic-job.ts';

const NO_ADMIN = 'There is no admin yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again to create one.';

const NO_SOURCE =
  'SOURCE_URL is not set: if you have changed this copy, set it to its source, which you must offer to everybody who uses it (AGPL, section 13).';

type Stop = () => Promise<void>;
interface Opened {
  readonly env: Env;
  readonly logger: Logger;
  readonly db: Db;
  readonly connection: pg.ClientConfig;
}
type OnShutdown = (stop: Stop) => void;

async function connectionOf(env: Env, log: (line: string) => void) {
  if (env.databaseUrl !== null) return { connection: { connectionString: env.databaseUrl }, stop: async () => undefined };
  await mkdir(env.dataDir, { recursive: true });
  return await startPostgres({ dataDir: join(env.dataDir, 'postgres'), log });
}

async function open(env: Env, onShutdown: OnShutdown): Promise<Opened> {
  const logger = openLog(env.logLevel);
  const postgres = await connectionOf(env, (line) => logger.info(line));
  onShutdown(postgres.stop);
  const { db, pool, close } = openDb(postgres.connection, (error) => logger.warn({ err: error }, 'a database connection was lost'));
  onShutdown(close);
  const applied = await migrate(pool);
  if (applied.length > 0) logger.info({ applied }, 'migrated');
  return { env, logger, db, connection: postgres.connection };
}

/**
 * The milliseconds between two runs of each job that stores closings, queues reminders or passes on expired holds. Each request checks the
 * closing time itself, so ordering ends on time even if these jobs are late.
 */
const CLOCK_INTERVAL = 5_000;

/**
 * Starts the jobs that send due mails, close ordering at the closing time, queue reminders, pass on expired holds and delete expired data.
 * Several processes may run these jobs at the same time.
 */
function startBackgroundJobs({ env, db, logger }: Opened): Stop {
  const written = (file: string) => logger.info(`A mail was written to ${file}`);
  const onError = (error: unknown) => logger.warn({ err: error }, 'a mail could not be sent now; it stays queued');
  const mailFolder = join(env.dataDir, 'mail');
  const transport = env.smtpUrl === null ? fileTransport(mailFolder, written, onError) : smtpTransport(env.smtpUrl);
  const now = (): Date => new Date();
  const outbox = startOutbox({ db, env, transport, renderers, now, onError });
  const onCleanupError = (error: unknown) => logger.warn({ err: error }, 'expired data could not be deleted; the next try is in an hour');
  const cleanup = startCleanup({ db, now, mailFolder, onError: onCleanupError });
  const onClockError = (error: unknown) =>
    logger.warn({ err: error }, 'a closing, a reminder or an expired hold could not be stored; the next try is in seconds');
  // These jobs are independent, so that thousands of due reminders delay neither closings nor expired holds.
  const clockJobs: PeriodicJob['run'][] = [
    () => storeClosings(db),
    () => queueReminders(db, now(), onClockError),
    (signal) => passOnExpiredHolds(db, { onError: onClockError, signal }),
  ];
  const clocks = clockJobs.map((run) => startPeriodicJob({ run, first: CLOCK_INTERVAL, interval: CLOCK_INTERVAL, onError: onClockError }));
  return async () => void (await Promise.all([outbox, cleanup, ...clocks].map((job) => job.stop())));
}

function startScheduledBackups({ env, db, logger, connection }: Opened): Stop {
  const { backupHours: everyHours, backupKeep: keep, backupCommand: command, restoreDrillDays: drillDays, dataDir } = env;
  const onError = (error: unknown, message = 'the scheduled backup failed') => logger.error({ err: error }, message);
  const settings = { folder: join(dataDir, 'backups'), everyHours, keep, command, drillDays };
  return startBackups({ db, connection, ...settings, now: () => new Date(), onError }).stop;
}

interface Serving {
  readonly onShutdown: OnShutdown;
  /** Called after the migrations and before the first request. */
  readonly prepare: (db: Db) => Promise<void>;
}

async function startServer(env: Env, { onShutdown, prepare }: Serving): Promise<string> {
  const opened = await open(env, onShutdown);
  const { db, logger } = opened;
  await prepare(db);
  const { admin } = env;
  if (!(await ensureAdmin(db, admin && { email: admin.email, hash: () => hashPassword(admin.password) }))) logger.warn(NO_ADMIN);
  if (env.publicUrl.startsWith('https:') && env.sourceUrl === null) logger.info(NO_SOURCE);
  const app = await buildApi({ db, env, now: () => new Date() }, logger);
  const drainConnections = createConnectionDrain(app.server);
  const url = await app.listen({ port: env.port, host: env.host });
  const stopBackgroundJobs = startBackgroundJobs(opened);
  const stopBackups = startScheduledBackups(opened);
  onShutdown(async () => {
    // Closes all connections when MAX_REQUEST has passed. Some of them are unused, because browsers open connections in advance; nobody
    // notices when these are closed.
    const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), MAX_REQUEST);
    await Promise.all([drainConnections().then(() => app.close()), stopBackgroundJobs(), stopBackups()]);
    clearTimeout(forceCloseTimer);
  });
  return url;
}

const MAX_STOP = 9_500;
const MAX_REQUEST = 4_000;

const notAFolder = ({ dataDir }: Env): string => `DATA_DIR ${dataDir} cannot be a folder. Example: DATA_DIR=data`;
const noAddress = ({ host }: Env): string => `HOST ${host} is no address of this machine. Example: HOST=127.0.0.1`;
const FAULTS: Readonly<Record<string, (env: Env) => string>> = {
  EADDRINUSE: ({ port }) => `PORT ${port} is taken by another program. Example: PORT=${port + 1}`,
  EADDRNOTAVAIL: noAddress,
  EACCES: ({ dataDir }) => `DATA_DIR ${dataDir} or PORT may not be used by this user. Example: DATA_DIR=data`,
};
/** The message of `pg` when something else than PostgreSQL answers, and closes the connection. */
const NOT_POSTGRES = 'Connection terminated unexpectedly';
const UNREACHABLE =
  'DATABASE_URL names a database that does not answer. Example: DATABASE_URL=postgres://user:password@localhost:5432/feastday';

/**
 * Returns the error to report. If a wrong environment variable caused the error, its message is one line that names the variable (contract
 * §1).
 */
function asBadEnv(error: unknown, env: Env): unknown {
  const { code = '', message, syscall, hostname, path } = error as NodeJS.ErrnoException & { hostname?: string };
  const isOfDataDir = path !== undefined && resolve(path).startsWith(resolve(env.dataDir));
  const fault = FAULTS[code] ?? (isOfDataDir ? notAFolder : hostname === env.host ? noAddress : undefined);
  if (fault) return new InvalidEnvError(fault(env));
  const refused = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', '28P01', '28000', '3D000'].includes(code);
  const isUnreachable = refused || syscall === 'connect' || message === NOT_POSTGRES;
  return env.databaseUrl !== null && isUnreachable ? new InvalidEnvError(UNREACHABLE) : error;
}

interface Run {
  readonly source: NodeJS.ProcessEnv;
  readonly begin: (env: Env, onShutdown: OnShutdown) => Promise<void>;
  /** Whether the process exits when `begin` is done. If a signal arrives earlier, the process exits with status 1. */
  readonly once?: true;
}

/**
 * Calls `begin` and then runs until a signal arrives. After the signal, or if `begin` fails, everything that was opened is closed in
 * reverse sequence.
 */
async function untilStopped({ source, begin, once }: Run): Promise<void> {
  const stops: Stop[] = [];
  let ending: Promise<void> | undefined;
  const unwind = async (): Promise<void> => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  };
  const end = (status: number): void => {
    setTimeout(() => process.exit(1), MAX_STOP).unref();
    ending ??= unwind().then(
      () => process.exit(status),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end(once ? 1 : 0));
  process.on('SIGINT', () => end(once ? 1 : 0));
  try {
    const env = readEnv(source);
    await begin(env, (stop) => stops.push(stop)).catch((error: unknown) => {
      throw asBadEnv(error, env);
    });
    if (once) end(0);
  } catch (error) {
    if (ending) return;
    console.error(error instanceof InvalidEnvError || error instanceof BackupError ? error.message : error);
    end(1);
  }
}

/** Serves requests until SIGTERM or SIGINT. After the signal, the server finishes the running requests and exits with status 0. */
export const runUntilStopped = (
  source: NodeJS.ProcessEnv,
  started: (env: Env, url: string) => void,
  prepare: (db: Db) => Promise<void> = async () => undefined,
): Promise<void> =>
  untilStopped({ source, begin: async (env, onShutdown) => started(env, await startServer(env, { onShutdown, prepare })) });

/** Runs a separate process that sends mails until SIGTERM or SIGINT. */
export const sendUntilStopped = (source: NodeJS.ProcessEnv, started: () => void): Promise<void> =>
  untilStopped({
    source,
    begin: async (env, onShutdown) => {
      onShutdown(startBackgroundJobs(await open(env, onShutdown)));
      started();
    },
  });

export interface CommandContext {
  readonly env: Env;
  /** Opens another connection to the database. If there is no embedded database yet, it is created and started first. */
  readonly connect: () => Promise<pg.Client>;
  readonly signal: AbortSignal;
}

/**
 * Returns the absolute path of a file that the user named on the command line. A relative path is resolved against the folder in which the
 * user called npm, because npm changes to the project's folder.
 */
export const argumentPath = (file: string): string => resolve(process.env['INIT_CWD'] ?? '.', file);

export const runCommand = (source: NodeJS.ProcessEnv, command: (command: CommandContext) => Promise<void>): Promise<void> =>
  untilStopped({
    source,
    once: true,
    begin: async (env, onShutdown) => {
      const stopping = new AbortController();
      let working: Promise<void> | undefined;
      const connect = async (): Promise<pg.Client> => {
        const postgres = await connectionOf(env, () => undefined);
        onShutdown(postgres.stop);
        const client = new pg.Client({ ...postgres.connection, application_name: 'feastday command' });
        client.on('error', () => undefined);
        onShutdown(async () => {
          stopping.abort();
          await client.end();
          await working?.catch(() => undefined);
        });
        await client.connect();
        return client;
      };
      await (working = command({ env, connect, signal: stopping.signal }));
    },
  });
