// Servers of the version before the last migration serve users. Meanwhile, a server of the new version starts, migrates the database and
// takes over.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { run } from '../../../src/server/database/db.ts';
import { openBalancer } from '../load/balancer.ts';
import { fillOrders } from '../load/crowd.ts';
import { openFolder, openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, stopAndMeasure, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { verifyShop, nextShop, createShop, withDb } from '../setup/orders-and-customers.ts';
import { startTraffic, type Traffic } from '../load/traffic.ts';
import { ROOT } from '../../../src/server/root.ts';

const MIGRATIONS = 'db/migrations';
const [BUYERS, OLD_SERVERS, LINES, OTHERS] = [16, 2, 12, 5000];
const MAX_WAIT_MS = 1000;

const git = async (...args: string[]): Promise<string> => (await promisify(execFile)('git', ['-C', ROOT, ...args])).stdout.trim();

/** Returns the last commit before the newest migration was added. */
async function commitBefore(): Promise<string> {
  const isNew = (await git('status', '--porcelain', '--', MIGRATIONS)) !== '';
  return isNew ? 'HEAD' : `${await git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS)}^`;
}

/** Extracts the files of that commit into a folder, and installs that commit's packages there. */
async function oldVersion(): Promise<{ folder: string; remove: () => Promise<void>; migrations: number }> {
  const { root: folder, remove } = await openFolder('feastday-old-');
  const archive = `git -C '${ROOT}' archive ${await commitBefore()} | tar -x -C '${folder}'`;
  await promisify(execFile)('sh', ['-c', archive]);
  await promisify(execFile)('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  return { folder, remove, migrations: (await readdir(join(folder, MIGRATIONS))).length };
}

const WAITS = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)) * 1000, 0)::float8 AS ms FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Observes the database until `isOver` returns true. Returns the longest time that a statement has waited for a lock, in milliseconds. */
const longestWait = (place: TestDatabase, isOver: () => boolean): Promise<number> =>
  withDb(place, async (db) => {
    let longest = 0;
    for (; !isOver(); await pause(5)) longest = Math.max(longest, (await run<{ ms: number }>(db, WAITS, []))[0]?.ms ?? 0);
    return Math.round(longest);
  });

const APPLIED = `SELECT name FROM migrations WHERE name <> 'lock'`;
const applied = (place: TestDatabase): Promise<number> => withDb(place, async (db) => (await run(db, APPLIED, [])).length);

interface Upgraded {
  readonly wait: number;
  readonly ms: number;
  /** The number of requests that had failed by the time when the migration was done. */
  readonly failed: number;
  readonly current: readonly Product[];
  /** One message for each process that did not exit with status 0 in time. */
  readonly wrong: string[];
}

interface Under {
  readonly backends: number[];
  readonly traffic: Traffic;
}

/** Starts a new server beside the old ones, and then replaces each old server by a new one. */
async function upgradeUnder(place: TestDatabase, old: readonly Product[], { backends, traffic }: Under): Promise<Upgraded> {
  let isThere = false;
  const began = performance.now();
  const starting = startProduct(place).finally(() => (isThere = true));
  const [first, wait] = await Promise.all([starting, longestWait(place, () => isThere)]);
  const ms = Math.round(performance.now() - began);
  const current = [first];
  const failed = traffic.failed.length;
  const wrong: string[] = [];
  backends.push(...current.map(({ port }) => port));
  for (const [at, server] of old.entries()) {
    await pause(500);
    wrong.push(...(await stopAndMeasure(server)).wrong);
    const next = await startProduct(place);
    current.push(next);
    backends[at] = next.port;
  }
  return { wait, ms, failed, current, wrong };
}

async function upgraded(place: TestDatabase, folder: string): Promise<{ migrations: number } & Outcome> {
  const old = await Promise.all(Array.from({ length: OLD_SERVERS }, () => startProduct(place, {}, folder)));
  const before = await createShop(place, BUYERS, LINES);
  await fillOrders(place, before, OTHERS);
  const shop = await nextShop(place, before);
  const balancer = await openBalancer(...old.map(({ port }) => port));
  const traffic = startTraffic(balancer.url, shop);
  await traffic.untilEach(3);
  const { wait, ms, failed, current, wrong } = await upgradeUnder(place, old, { backends: balancer.backends, traffic });
  await traffic.end();
  const { acknowledged, lost, torn, unanswered } = await verifyShop(place, shop, traffic.told);
  const migrations = await applied(place);
  for (const server of current) wrong.push(...(await stopAndMeasure(server)).wrong);
  await balancer.close();
  // A server of the previous version may drop requests while it stops. The reliability test "processes" checks that the current version
  // drops none.
  const [away, odd] = [
    traffic.failed.slice(failed),
    traffic.failed.filter((text) => !/^\w+: (503|0 ECONNRESET|0 socket hang up)/.test(text)),
  ];
  const said = odd.length > 0 ? ` (${odd.slice(0, 3).join(', ')})` : '';
  const line = `${counted(traffic.requests(), 'requests')} of ${BUYERS}, ${failed} failed while it migrated, ${away.length} told to try again as the old servers went${said}, ${counted(acknowledged, 'saves acknowledged')}, ${lost} lost, ${torn} torn; longest wait for the migration ${wait} ms, the new server there in ${ms} ms, slowest answer ${traffic.slowest()} ms${wrong.map((text) => `, ${text}`).join('')}`;
  return {
    migrations,
    line,
    holds: failed + odd.length + lost + torn + unanswered + wrong.length === 0 && Math.max(wait, traffic.slowest()) < MAX_WAIT_MS,
  };
}

export async function upgrade({ on }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const { folder, remove, migrations } = await oldVersion();
  const outcome = await upgraded(place, folder);
  await place.close();
  await remove();
  const line = `from ${migrations} migrations to ${outcome.migrations} beside ${counted(OTHERS, 'orders')}: ${outcome.line}`;
  return { line, holds: outcome.holds && outcome.migrations > migrations };
}
