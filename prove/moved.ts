// R20: a thousand orders backed up on one kind of database and restored on the other: the same rows and checksums in every table.
import { join } from 'node:path';
import pg from 'pg';
import { contentsOf } from '../test/contents.ts';
import { fillOrders } from './crowd.ts';
import { openPlace, type Place } from './databases.ts';
import { errand, startProduct } from './product.ts';
import { counted, type Outcome, type Setting } from './proof.ts';
import { openShop } from './shop.ts';

const LINES = 12;

async function contents(place: Place): Promise<Record<string, string>> {
  const client = new pg.Client(await place.connection());
  await client.connect();
  try {
    return await contentsOf(client);
  } finally {
    await client.end();
  }
}

async function told(file: string, place: Place, ...args: string[]): Promise<string> {
  const { status, said } = await errand(file, place, ...args);
  if (status !== 0) throw new Error(said.trim());
  return said.trim();
}

export async function moved({ on, tell }: Setting): Promise<Outcome> {
  const [from, to] = [await openPlace(on), await openPlace(on === 'embedded' ? 'given' : 'embedded')];
  const product = await startProduct(from);
  await fillOrders(from, await openShop(from, 5, LINES), 1000);
  const file = join(from.dataDir, 'moved.sql.gz');
  tell(await told('start-backup.ts', from, file));
  const before = await contents(from);
  await product.stop();
  tell(await told('start-restore.ts', to, file));
  const other = await startProduct(to);
  const after = await contents(to);
  await other.stop();
  await Promise.all([from.close(), to.close()]);
  const tables = Object.keys(before).filter((name) => name !== 'session_store');
  const differing = tables.filter((name) => before[name] !== after[name]);
  const orders = Number.parseInt(after['orders'] ?? '', 10);
  const way = on === 'embedded' ? 'from the embedded to a given one' : 'from a given one to the embedded';
  const line = `${counted(orders, 'orders')} ${way}, ${tables.length} tables, ${differing.length} that differ${differing.length > 0 ? ` (${differing.join(', ')})` : ''}`;
  return { line, holds: differing.length === 0 && orders >= 1000 && after['session_store'] === '0 ' };
}
