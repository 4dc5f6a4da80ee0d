// Runs a high-availability cluster of PostgreSQL and Patroni from Debian's packages. While customers order, the test kills nodes, isolates
// a node, and makes another node the primary.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import { openFolder, type TestDatabase } from '../setup/databases.ts';
import { orderUnderFaults, type Fault } from './orders-under-faults.ts';
import { openCluster, type Cluster, type PatroniNode } from './patroni-nodes.ts';

/** Waits until a node other than `before` is the primary. */
const takenOver = (cluster: Cluster, before: PatroniNode): Promise<void> => {
  const isTaken = async (): Promise<boolean> => (await cluster.primary().catch(() => before)).name !== before.name;
  return waitUntil(isTaken, `nobody took over from ${before.name}`, 200);
};

const faultsOf = (cluster: Cluster): Fault[] => [
  { name: 'kill -9 of the primary', cause: async () => await cluster.killNode(await cluster.primary()) },
  { name: "kill -9 of etcd's leader", cause: () => cluster.etcd.killLeader() },
  {
    name: 'planned switch-over',
    cause: async () => {
      await cluster.switchOver(await cluster.primary());
      return async () => undefined;
    },
  },
  {
    name: 'primary cut off from etcd',
    cause: async () => {
      const before = await cluster.primary();
      const repair = cluster.cutOff(before);
      await takenOver(cluster, before);
      return async () => repair();
    },
  },
  {
    // The test kills the suspended node, as a watchdog would restart its machine. Without that, a suspended Patroni 3.0 that resumes later
    // might become the leader again.
    name: 'Patroni of the primary suspended, then the machine reset',
    cause: async () => {
      const before = await cluster.primary();
      cluster.suspend(before);
      await takenOver(cluster, before);
      return async () => await (await cluster.killNode(before))();
    },
  },
];

async function createDatabase(port: number): Promise<void> {
  const config = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
  const isCreated = async (): Promise<boolean> => {
    const client = new pg.Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('CREATE DATABASE feastday');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  // Until its first checks, HAProxy considers every node a primary, so the test waits.
  await pause(4000);
  await waitUntil(isCreated, 'HAProxy leads to no primary after a minute', 200);
}

/** Returns a test database whose connections go to HAProxy's port. */
function placeBehind(port: number, root: string): TestDatabase {
  const env = { DATA_DIR: join(root, 'data'), DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/feastday` };
  const connection = async () => ({ host: '127.0.0.1', port, user: 'postgres', database: 'feastday' });
  const nothing = { start: async () => undefined, processes: () => [], kill: () => undefined, close: async () => undefined };
  return { on: 'given', env, dataDir: env.DATA_DIR, folder: root, connection, ...nothing };
}

export async function patroni(setting: Setting): Promise<Outcome> {
  const { root, remove } = await openFolder('feastday-cluster-');
  const cluster = await openCluster(root);
  await createDatabase(cluster.port);
  const facing = { faults: faultsOf(cluster), whole: cluster.whole, rounds: setting.runs(2) };
  const outcome = await orderUnderFaults(placeBehind(cluster.port, root), facing, setting);
  await cluster.close();
  await remove();
  return outcome;
}
