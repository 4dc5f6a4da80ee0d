// Reliability test R20: backs up a thousand orders from one kind of database, restores them into the other kind, and from there into a
// third database of the first kind. After each restore, every table must have the same number of rows and the same checksum.
import { join } from 'node:path';
import pg from 'pg';
import { tableChecksums } from '../../database/table-contents.ts';
import { fillOrders } from '../load/crowd.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { runProductCommand, startProduct } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop } from '../setup/orders-and-customers.ts';

const LINES = 12;

async function contents(place: TestDatabase): Promise<Record<string, string>> {
  const client = new pg.Client(await place.connection());
  await client.connect();
  try {
    return await tableChecksums(client);
  } finally {
    await client.end();
  }
}

export async function told(file: string, place: TestDatabase, ...args: string[]): Promise<string> {
  const { status, said } = await runProductCommand(file, place, ...args);
  if (status !== 0) throw new Error(said.trim());
  return said.trim();
}

/**
 * Makes a backup of one database while the application runs, and restores it into another database that no application uses. Then starts
 * the application there, and returns the content of every table.
 */
async function move(from: TestDatabase, to: TestDatabase, tell: Setting['tell']): Promise<Record<string, string>> {
  const product = await startProduct(from);
  const file = join(from.dataDir, 'moved.sql.gz');
  tell(await told('start-backup.ts', from, file));
  await product.stop();
  tell(await told('start-restore.ts', to, file));
  const other = await startProduct(to);
  const there = await contents(to);
  await other.stop();
  return there;
}

export async function moved({ on, tell }: Setting): Promise<Outcome> {
  const [from, there, back] = [
    await openTestDatabase(on),
    await openTestDatabase(on === 'embedded' ? 'given' : 'embedded'),
    await openTestDatabase(on),
  ];
  const product = await startProduct(from);
  await fillOrders(from, await createShop(from, 5, LINES), 1000);
  const before = await contents(from);
  await product.stop();
  const seen = [await move(from, there, tell), await move(there, back, tell)];
  await Promise.all([from, there, back].map((place) => place.close()));
  const tables = Object.keys(before).filter((name) => name !== 'session_store');
  const differing = tables.filter((name) => seen.some((after) => after[name] !== before[name]));
  const orders = Math.min(...seen.map((after) => Number.parseInt(after['orders'] ?? '', 10)));
  const way = on === 'embedded' ? 'from the embedded to a given one and back' : 'from a given one to the embedded and back';
  const line = `${counted(orders, 'orders')} ${way}, ${tables.length} tables, ${differing.length} that differ${differing.length > 0 ? ` (${differing.join(', ')})` : ''}`;
  return { line, holds: differing.length === 0 && orders >= 1000 && seen.every((after) => after['session_store'] === '0 ') };
}
