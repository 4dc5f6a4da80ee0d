// The row types of the first function are wrong on purpose. row-types.test.ts must report each of them.
import { run, runOne, runSingle, type Db } from '../../src/server/database/db.ts';

const COUNT = `SELECT count(*) AS count, '{1}'::int[] AS ids FROM users`;
const people = (where: string): string =>
  `SELECT u.id, u.email, c.phone FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE ${where}`;

export const readFalseRows = (db: Db): Promise<unknown>[] => [
  runSingle<{ counted: number }>(db, COUNT, []),
  run<{ count: string; ids: string[] }>(db, COUNT, []),
  run<{ id: number; email: number; phone: string }>(db, people('u.id = $1'), [1]),
  run<{ name: string; groupOrder: string[] }>(db, 'SELECT name, "groupOrder" FROM distributions', []),
  runOne<{ date: number }>(db, 'SELECT date FROM distributions', []),
];

/** Runs the same statements with correct row types, which row-types.test.ts must not report. */
export const readTrueRows = (db: Db): Promise<unknown>[] => [
  run<{ count: number; ids: readonly number[] }>(db, COUNT, []),
  run<{ id: number; email: string; phone: string | null; more?: string }>(db, people('u.id = $1'), [1]),
  run<{ name: string; groupOrder: string[] | null }>(db, 'SELECT name, "groupOrder" FROM distributions', []),
];
