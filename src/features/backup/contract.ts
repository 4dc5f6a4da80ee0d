// What the admin sees of the last backup, manual or automatic.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';

const BACKUP_FAULTS = ['full', 'denied', 'other'] as const;

const Backup = z.object({
  /** The time of the last backup; null when there is none. */
  finishedAt: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
  /** The number of automatic backups kept. */
  kept: z.int(),
  /** Hours between automatic backups; 0 when they are off. */
  everyHours: z.int(),
  /** Why the last attempt failed. */
  error: z.nullable(z.enum(BACKUP_FAULTS)),
});
export type Backup = z.infer<typeof Backup>;

export const readBackup = endpoint({
  method: 'GET',
  path: '/api/backup',
  summary: 'When the last backup was made, and whether the next one failed',
  roles: ['admin'],
  reply: Backup,
});
