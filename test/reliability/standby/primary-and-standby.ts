// Runs two PostgreSQL servers from Debian's packages: a primary and its synchronous standby. A load balancer's port leads to the current
// primary.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { accountFor, command, NOBODY } from '../../../src/server/database/embedded/native-binaries.ts';
import { killServer, postmastersOn } from '../../embedded-postgres/processes.ts';
import { openBalancer, type Balancer } from '../load/balancer.ts';
import { ended, initialise, launchServer, listening, programs } from '../setup/databases.ts';
import { waitUntil } from '../reliability-test.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

const USER = 'feastday';

interface Node {
  readonly folder: string;
  readonly port: number;
}

export interface Pair {
  /** The load balancer through which the application connects to its database. */
  readonly address: Balancer;
  /** Kills the primary and all its processes with kill -9. */
  readonly killPrimary: () => void;
  /** Makes the load balancer's port lead to the standby, which is still read-only. */
  readonly moveAddress: () => void;
  /** Promotes the standby to primary, and waits until it accepts writes. */
  readonly promote: () => Promise<void>;
  /** Creates a new synchronous standby for the current primary. */
  readonly reconnect: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const at = ({ port }: Node, database = 'postgres'): pg.ClientConfig => ({ host: '127.0.0.1', port, user: USER, database });

async function ask(node: Node, text: string): Promise<Record<string, unknown> | null> {
  const client = new pg.Client(at(node));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return ((await client.query(text)).rows[0] as Record<string, unknown> | undefined) ?? {};
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const until = (node: Node, text: string, otherwise: string): Promise<void> =>
  waitUntil(async () => (await ask(node, text))?.['so'] === true, otherwise, 20);

const IS_SYNCHRONOUS = `SELECT count(*) > 0 AS so FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')`;
const WRITES = 'SELECT NOT pg_is_in_recovery() AS so';

async function copyOf(bin: string, from: Node, to: Node): Promise<void> {
  await rm(to.folder, { recursive: true, force: true });
  const args = ['-D', to.folder, '-h', '127.0.0.1', '-p', String(from.port), '-U', USER, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  const copy = command(join(bin, 'pg_basebackup'), args, await accountFor(from.folder, NOBODY));
  await promisify(execFile)(copy.file, copy.args, copy.options);
}

export async function openPair(root: string): Promise<Pair> {
  const bin = await programs();
  let primary: Node = { folder: join(root, 'one'), port: await freePort() };
  let standby: Node = { folder: join(root, 'other'), port: await freePort() };
  const start = async (node: Node): Promise<void> => {
    const isThere = async (): Promise<boolean> => (await ask(node, 'SELECT 1')) !== null;
    await launchServer({ bin, folder: node.folder, args: [...listening(node.port), '-c', 'synchronous_commit=on'] }, isThere);
  };
  const attach = async (): Promise<void> => {
    await copyOf(bin, primary, standby);
    await start(standby);
    // With this setting, the primary acknowledges a commit only when it is on the disks of both servers.
    await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await ask(primary, 'SELECT pg_reload_conf()');
    await until(primary, IS_SYNCHRONOUS, 'the standby never became a synchronous one');
  };
  await initialise(bin, primary.folder);
  await start(primary);
  await ask(primary, 'CREATE DATABASE feastday');
  await attach();
  const address = await openBalancer(primary.port);
  return {
    address,
    killPrimary: () => killServer(primary.folder),
    moveAddress: () => void address.backends.splice(0, address.backends.length, standby.port),
    promote: async () => {
      // This statement turns synchronous replication off. The new primary has no standby yet, and would wait for one at every commit.
      await ask(standby, 'ALTER SYSTEM RESET synchronous_standby_names');
      await ask(standby, 'SELECT pg_reload_conf()');
      await ask(standby, 'SELECT pg_promote(false)');
      await until(standby, WRITES, 'the standby was promoted and does not write');
      [primary, standby] = [standby, primary];
    },
    reconnect: async () => {
      if (postmastersOn(standby.folder).length > 0) await ended(standby.folder);
      await attach();
    },
    close: async () => {
      await address.close();
      for (const { folder } of [standby, primary]) await ended(folder);
    },
  };
}
