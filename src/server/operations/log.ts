import { pino, type Logger } from 'pino';

/** While the disk of the log is full, at most this many bytes are kept in memory, and further lines are dropped. */
const MAX_KEPT_BYTES = 1_000_000;

/**
 * Returns the log of a process, which writes each line at once to a file descriptor, by default to the standard output. Errors such as a full
 * disk are ignored, because the log must never stop the server (docs/reliability.md, R21).
 */
export function openLog(level: string, fd = 1): Logger {
  const destination = pino.destination({ fd, sync: true, maxLength: MAX_KEPT_BYTES });
  destination.on('error', () => undefined);
  return pino({ level }, destination);
}
