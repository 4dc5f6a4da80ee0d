// Without an SMTP server, mails are written to files. When the content of a mail's row is deleted, these functions delete its file too.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run, type Db } from '../database/db.ts';

export async function deleteMailFiles(folder: string, ids: readonly number[]): Promise<void> {
  for (const id of ids) await rm(join(folder, `${id}.eml`), { force: true });
}

const EMPTIED = `SELECT id FROM unnest($1::int[]) file (id)
  WHERE NOT EXISTS (SELECT FROM emails e WHERE e.id = file.id AND (e.html <> '' OR e.status IN ('queued', 'sending')))`;
const AT_ONCE = 1000;

/**
 * Deletes the files of mails whose content or row was deleted from the database. A file can remain after that, because a worker may have written
 * it while the content was being deleted.
 */
export async function deleteEmptiedMailFiles(db: Db, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => /^(\d{1,9})\.eml$/.exec(name)?.[1] ?? []).map(Number);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const emptied = await run<{ id: number }>(db, EMPTIED, [ids.slice(from, from + AT_ONCE)]);
    await deleteMailFiles(
      folder,
      emptied.map(({ id }) => id),
    );
  }
}
