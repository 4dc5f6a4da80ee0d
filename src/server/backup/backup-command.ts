// Passes a finished backup to the operator's program (BACKUP_COMMAND), which copies it to another place.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HOUR } from '../../domain/durations.ts';

const MAX_COPY = HOUR;
/**
 * The program gets the server's environment variables except these secrets. The program may need variables of its own, such as
 * RESTIC_PASSWORD.
 */
const SECRETS = ['DATABASE_URL', 'SMTP_URL', 'ADMIN_PASSWORD', 'METRICS_TOKEN', 'SECOND_FACTOR_KEY'];

export type CopyError = 'failed' | 'timeout';

interface Copying {
  readonly command: string;
  readonly signal: AbortSignal;
  readonly longest?: number;
}

/** Runs `command FILE` without a shell. Returns null when the program ends with status 0, otherwise the reason of the failure. */
export async function copyBackup(
  path: string,
  { command, signal, longest = MAX_COPY }: Copying,
  onError: (error: unknown) => void,
): Promise<CopyError | null> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRETS.includes(name)));
  try {
    await promisify(execFile)(command, [path], { env, signal, timeout: longest, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024 });
    return null;
  } catch (error) {
    onError(error);
    // `killed` is also true when the signal ended the program. Without an aborted signal, it was the time limit that ended the program.
    return (error as { killed?: boolean }).killed === true && !signal.aborted ? 'timeout' : 'failed';
  }
}
