// Chooses where the tests write their temporary files. A test database consists of more than a thousand small files, and each test file
// creates such a database. On a disk, that takes ten times as long as in memory.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../src/domain/durations.ts';

/** Linux mounts a file system here whose files are in memory. */
const IN_MEMORY = '/dev/shm';
/** The tests need about half a gigabyte. The rest is for the browsers and the databases' own memory. */
const BYTES_NEEDED = 4 * 1024 ** 3;
const PREFIX = 'feastday-tests-';
/** No test run takes as long as this, so an older folder belongs to a run that was interrupted. */
const LONGEST_RUN = 6 * HOUR;

function hasRoomInMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) > BYTES_NEEDED;
}

function removeOldFolders(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(parent, name);
    if (statSync(folder).mtimeMs < Date.now() - LONGEST_RUN) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates an empty folder for the temporary files of a test run, in memory if the machine has enough. The caller deletes it. Deletes the
 * folders of runs that were interrupted.
 */
export function makeTestFolder(parent = hasRoomInMemory() ? IN_MEMORY : tmpdir()): string {
  removeOldFolders(parent);
  const folder = mkdtempSync(join(parent, PREFIX));
  // Some tests run programs as another user, who needs access to the own files in this folder.
  chmodSync(folder, 0o1777);
  return folder;
}
