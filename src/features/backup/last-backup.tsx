import { DatabaseBackup } from 'lucide-react';
import type { ReactNode } from 'react';
import { Warning } from '../../client/ui/feedback/warning.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { readBackup, type Backup } from './contract.ts';
import {
  BACKUP_FAILED,
  BACKUP_IS_LATE,
  BACKUPS,
  BACKUPS_ARE_OFF,
  copiedText,
  COPY_FAILED,
  DRILL_FAILED,
  drilledText,
  lastBackupText,
  lastByHandText,
  NO_BACKUP_YET,
  NOT_COPIED_YET,
} from './texts.ts';
import { MINUTE } from '../../domain/durations.ts';

const minutesSince = (time: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(time)) / MINUTE));

const worriesOf = (backup: Backup, minutes: number): string[] =>
  [
    worryOf(backup, minutes),
    backup.isCopied && backup.copyError !== null ? COPY_FAILED[backup.copyError] : null,
    backup.drillDays > 0 && backup.drillError !== null ? DRILL_FAILED[backup.drillError] : null,
  ].filter((worry) => worry !== null);

/**
 * Returns one sentence about the copy at another place and one about the last restore drill. If copies or drills are not configured, their
 * sentence is left out.
 */
function laterFactsOf({ finishedAt, isCopied, copiedAt, drilledAt, drillRows }: Backup, now: number): string[] {
  const facts: string[] = [];
  if (isCopied && finishedAt !== null) facts.push(copiedAt === null ? NOT_COPIED_YET : copiedText(minutesSince(copiedAt, now)));
  if (drilledAt !== null) facts.push(drilledText(minutesSince(drilledAt, now), drillRows ?? 0));
  return facts;
}

/**
 * Returns a warning if the last attempt to back up failed, or if the last backup is older than twice the interval. Otherwise, and if
 * automatic backups are off, returns null.
 */
function worryOf({ error, everyHours }: Backup, minutes: number): string | null {
  if (everyHours === 0) return null;
  if (error !== null) return BACKUP_FAILED[error];
  return minutes > 2 * everyHours * 60 ? BACKUP_IS_LATE : null;
}

function factOf({ bytes, kept, everyHours, finishedAt }: Backup, minutes: number): string {
  if (finishedAt === null) return everyHours > 0 ? NO_BACKUP_YET : BACKUPS_ARE_OFF;
  return everyHours > 0 ? lastBackupText(minutes, bytes ?? 0, kept) : lastByHandText(minutes, bytes ?? 0);
}

/** Shows the age of the last backup in one line, and below it the warnings. Shows nothing while the backup state cannot be loaded. */
export function LastBackup(): ReactNode {
  const { data, dataUpdatedAt } = useRead(readBackup);
  if (!data) return null;
  const minutes = data.finishedAt === null ? 0 : minutesSince(data.finishedAt, dataUpdatedAt);
  const worries = worriesOf(data, minutes);
  const fact = factOf(data, minutes);
  const facts = laterFactsOf(data, dataUpdatedAt);
  return (
    <Card title={BACKUPS} className="mt-6 max-w-3xl">
      {worries.length === 0 ? (
        <p className="flex items-start gap-2.5">
          <DatabaseBackup className="mt-0.5 size-5 shrink-0 text-ink-soft" aria-hidden />
          <span>{[fact, ...facts].join(' ')}</span>
        </p>
      ) : (
        <Warning role="note" title={fact}>
          {[...facts, ...worries].map((text) => (
            <p key={text} className="mt-1 text-s">
              {text}
            </p>
          ))}
        </Warning>
      )}
    </Card>
  );
}
