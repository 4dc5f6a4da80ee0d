// The UI texts of manual and automatic backups.
import { counted } from '../../shared/counted.ts';

export const BACKUPS = 'Backups';
export const NO_BACKUP_YET = 'No backup yet. The first one is made a minute or two after the start.';
export const BACKUPS_ARE_OFF = 'This server makes no automatic backups. Run npm run backup every night.';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Returns, for example, '3 hours ago'. */
function ageText(minutes: number): string {
  if (minutes < 1) return 'just now';
  if (minutes < HOUR) return `${counted(minutes, 'minute')} ago`;
  if (minutes < 2 * DAY) return `${counted(Math.floor(minutes / HOUR), 'hour')} ago`;
  return `${counted(Math.floor(minutes / DAY), 'day')} ago`;
}

const MB = 1_000_000;
const sizeText = (bytes: number): string => (bytes < MB ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MB).toFixed(1)} MB`);

export const lastByHandText = (minutes: number, bytes: number): string =>
  `Last backup ${ageText(minutes)}, ${sizeText(bytes)}; this server makes no automatic backups.`;

/** Returns, for example, 'Last backup 3 hours ago, 2.1 MB; 14 are kept.' */
export const lastBackupText = (minutes: number, bytes: number, kept: number): string =>
  kept === 0
    ? `Last backup ${ageText(minutes)}, ${sizeText(bytes)}.`
    : `Last backup ${ageText(minutes)}, ${sizeText(bytes)}; ${kept} ${kept === 1 ? 'is' : 'are'} kept.`;

export const BACKUP_IS_LATE = 'That is longer ago than it should be. Look at the log of the server.';
export const BACKUP_FAILED = {
  full: 'The next one could not be made: the disk is full. It is tried again within the hour.',
  denied: 'The next one could not be made: the server may not write into its folder. It is tried again within the hour.',
  other: 'The next one could not be made; the log of the server says why. It is tried again within the hour.',
};

// The texts about the copy of a backup at another place, and about the restore drill.
export const copiedText = (minutes: number): string => `Copied to another place ${ageText(minutes)}.`;
export const NOT_COPIED_YET = 'Not copied to another place yet.';
export const COPY_FAILED = {
  failed: 'The last backup could not be copied to another place; the log of the server says why. It is tried again within the hour.',
  timeout: 'Copying the last backup to another place took longer than an hour and was ended. It is tried again within the hour.',
};
export const drilledText = (minutes: number, rows: number): string =>
  `Restored on trial ${ageText(minutes)}: ${counted(rows, 'row')} and all sums were the same.`;
export const DRILL_FAILED = {
  denied:
    'Restoring on trial is not possible: the account of the database may not create another one. Run npm run restore-drill with one that may.',
  differs: 'The newest backup could not be restored on trial as it was. Look at the log of the server, and make a backup by hand.',
  other: 'Restoring the newest backup on trial failed; the log of the server says why.',
};
