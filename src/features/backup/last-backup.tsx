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

/**
 * Returns a warning for each of these that has failed: the last backup, its copy, and the last restore drill. Also returns a warning if the
 * last backup is older than twice the interval. Copies and drills that are not configured cause no warning.
 */
function worriesOf({ error, everyHours, isCopied, copyError, drillDays, drillError }: Backup, minutes: number): string[] {
  const isLate = minutes > 2 * everyHours * 60;
  return [
    everyHours > 0 && (error === null ? isLate && BACKUP_IS_LATE : BACKUP_FAILED[error]),
    isCopied && copyError !== null && COPY_FAILED[copyError],
    drillDays > 0 && drillError !== null && DRILL_FAILED[drillError],
  ].filter((worry) => worry !== false);
}

/**
 * Returns one sentence about the copy at another place and one about the last successful restore drill. The first is left out if copies are
 * not configured, the second if no drill has succeeded yet.
 */
const laterFactsOf = ({ finishedAt, isCopied, copiedAt, drilledAt, drillRows }: Backup, now: number): string[] =>
  [
    isCopied && finishedAt !== null && (copiedAt === null ? NOT_COPIED_YET : copiedText(minutesSince(copiedAt, now))),
    drilledAt !== null && drilledText(minutesSince(drilledAt, now), drillRows ?? 0),
  ].filter((fact) => fact !== false);

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
