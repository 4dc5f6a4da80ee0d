// The call with which an admin reads the state of the backups: the last backup, its copy at another place, and the last restore drill.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';

const BACKUP_FAULTS = ['full', 'denied', 'other'] as const;

const Backup = z.object({
  /** The time of the last backup; null when there is none. */
  finishedAt: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
  kept: z.int(),
  /** Hours between automatic backups; 0 when they are off. */
  everyHours: z.int(),
  /** Why the last attempt to back up failed; null if it succeeded. */
  error: z.nullable(z.enum(BACKUP_FAULTS)),
  /** Whether BACKUP_COMMAND copies each backup to another place. */
  isCopied: z.boolean(),
  copiedAt: z.nullable(z.string()),
  /** Why the last copy failed; null when it succeeded. */
  copyError: z.nullable(z.enum(['failed', 'timeout'])),
  /** Days between two restore drills; 0 when they are off. */
  drillDays: z.int(),
  /** The time of the last restore drill that succeeded. `drillRows` is the number of rows that this drill compared. */
  drilledAt: z.nullable(z.string()),
  drillRows: z.nullable(z.int()),
  /** Why the last restore drill failed; null if it succeeded. */
  drillError: z.nullable(z.enum(['denied', 'differs', 'other'])),
});
export type Backup = z.infer<typeof Backup>;

export const readBackup = endpoint({
  method: 'GET',
  path: '/api/backup',
  summary: 'When the last backup was made, and whether the next one failed',
  roles: ['admin'],
  reply: Backup,
});
