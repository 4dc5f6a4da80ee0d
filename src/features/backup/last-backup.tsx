import { DatabaseBackup, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../client/ui/layout/card.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { readBackup, type Backup } from './contract.ts';
import { BACKUP_FAILED, BACKUP_IS_LATE, BACKUPS, BACKUPS_ARE_OFF, lastBackupText, lastByHandText, NO_BACKUP_YET } from './texts.ts';

const MINUTE = 60_000;

/** The warning, or null: the last attempt failed, or twice the interval has passed. No warning where automatic backups are off. */
function worryOf({ error, everyHours }: Backup, minutes: number): string | null {
  if (everyHours === 0) return null;
  if (error !== null) return BACKUP_FAILED[error];
  return minutes > 2 * everyHours * 60 ? BACKUP_IS_LATE : null;
}

function factOf({ bytes, kept, everyHours, finishedAt }: Backup, minutes: number): string {
  if (finishedAt === null) return everyHours > 0 ? NO_BACKUP_YET : BACKUPS_ARE_OFF;
  return everyHours > 0 ? lastBackupText(minutes, bytes ?? 0, kept) : lastByHandText(minutes, bytes ?? 0);
}

/** The age of the last backup in one line, and a warning below when something is wrong. Shows nothing while it cannot be loaded. */
export function LastBackup(): ReactNode {
  const { data, dataUpdatedAt } = useRead(readBackup);
  if (!data) return null;
  const minutes = data.finishedAt === null ? 0 : Math.max(0, Math.floor((dataUpdatedAt - Date.parse(data.finishedAt)) / MINUTE));
  const worry = worryOf(data, minutes);
  const fact = factOf(data, minutes);
  return (
    <Card title={BACKUPS} className="mt-6 max-w-3xl">
      {worry === null ? (
        <p className="flex items-start gap-2.5">
          <DatabaseBackup className="mt-0.5 size-5 shrink-0 text-ink-soft" aria-hidden />
          <span>{fact}</span>
        </p>
      ) : (
        <div role="note" className="flex gap-2.5 rounded-ctl bg-wait-soft p-3">
          <TriangleAlert className="mt-0.5 size-5 shrink-0 text-wait" aria-hidden />
          <div>
            <p className="font-semibold">{fact}</p>
            <p className="mt-1 text-s">{worry}</p>
          </div>
        </div>
      )}
    </Card>
  );
}
