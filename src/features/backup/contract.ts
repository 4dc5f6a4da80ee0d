// What an admin is told of the last backup, made by hand or by itself.
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';

const BACKUP_FAULTS = ['full', 'denied', 'other'] as const;

const Backup = z.object({
  /** When the last one was made; null: none has been yet. */
  finishedAt: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
  /** How many are in the folder of those that are made by themselves. */
  kept: z.int(),
  /** Between two that are made by themselves; 0: none are. */
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
