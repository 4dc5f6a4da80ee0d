// Runs three PostgreSQL nodes with synchronous replication, which Debian's Patroni manages. HAProxy forwards connections to the primary.
// The configuration is that of docs/operations.md, except that the test can cut the connections between a node and etcd.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onCleanup } from '../setup/cleanups.ts';
import { programs } from '../setup/databases.ts';
import { killServer, postmastersOn } from '../../embedded-postgres/processes.ts';
import { waitUntil } from '../reliability-test.ts';
import { startProcess, type ClusterProcess } from './cluster-processes.ts';
import { startEtcd, type Etcd } from './etcd.ts';
import { openLink, type NetworkLink } from './network-link.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

export interface PatroniNode {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly api: number;
  readonly links: readonly NetworkLink[];
}

export interface Cluster {
  readonly etcd: Etcd;
  readonly port: number;
  readonly primary: () => Promise<PatroniNode>;
  /** Kills a node with kill -9, that is, Patroni and all processes of PostgreSQL. Returns a function that starts the node again. */
  readonly killNode: (node: PatroniNode) => Promise<() => Promise<void>>;
  /** Cuts the network between a node and etcd. Returns a function that restores the network. */
  readonly cutOff: (node: PatroniNode) => () => void;
  /** Suspends Patroni on a node while its PostgreSQL keeps running. */
  readonly suspend: (node: PatroniNode) => void;
  readonly switchOver: (from: PatroniNode) => Promise<void>;
  /** Waits until the primary has a synchronous standby and all nodes receive its changes. */
  readonly whole: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly root: string;
  readonly bin: string;
}

const configOf = ({ name, folder, port, api, links }: PatroniNode, { root, bin }: Parts): string => `scope: feastday
name: ${name}
restapi:
  listen: 127.0.0.1:${api}
  connect_address: 127.0.0.1:${api}
etcd3:
  hosts: ${links.map((link) => `127.0.0.1:${link.port}`).join()}
  use_proxies: true
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        synchronous_commit: 'on'
        wal_log_hints: 'on'
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}
  bin_dir: ${bin}
  pgpass: ${join(root, `${name}.pgpass`)}
  authentication:
    superuser: { username: postgres, password: proof }
    replication: { username: replicator, password: proof }
  parameters:
    unix_socket_directories: ${root}
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
`;

const balancerOf = (port: number, nodes: readonly PatroniNode[]): string => `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen feastday
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.api}`).join('\n')}
`;

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Returns the members of the cluster, as reported by the first node that responds. */
async function members(nodes: readonly PatroniNode[]): Promise<Member[]> {
  for (const { api } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(1000) });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      // If this node does not respond, the next node is asked.
    }
  }
  return [];
}

const PATRONI = 'patroni';

export async function openCluster(root: string): Promise<Cluster> {
  const etcd = await startEtcd(root);
  const parts = { root, bin: await programs() };
  const nodes: PatroniNode[] = [];
  for (const name of ['node1', 'node2', 'node3'])
    nodes.push({
      name,
      folder: join(root, name),
      port: await freePort(),
      api: await freePort(),
      links: await Promise.all(etcd.endpoints.map((endpoint) => openLink(Number(new URL(endpoint).port)))),
    });
  const running = new Map<string, ClusterProcess>();
  const start = async (node: PatroniNode): Promise<void> => {
    const file = join(root, `${node.name}.yml`);
    await writeFile(file, configOf(node, parts));
    running.set(node.name, await startProcess(PATRONI, [file], { root, log: join(root, `${node.name}.log`) }));
  };
  const closeNode = async (node: PatroniNode): Promise<void> => {
    // When Patroni is killed, the PostgreSQL of its node keeps running, so PostgreSQL must be killed too.
    await running.get(node.name)?.kill();
    if (postmastersOn(node.folder).length > 0) killServer(node.folder);
  };
  const close = onCleanup(async () => {
    for (const node of nodes) await closeNode(node);
  });
  for (const node of nodes) {
    await mkdir(node.folder, { mode: 0o700 });
    await start(node);
  }
  const leader = async (): Promise<PatroniNode | undefined> => {
    const { name } = (await members(nodes)).find(({ role }) => role === 'leader') ?? { name: '' };
    return nodes.find((node) => node.name === name);
  };
  /**
   * Waits until the cluster is complete. It waits up to two minutes, because a former primary may first have to rewind its data, which
   * takes more than a minute on a busy machine.
   */
  const whole = async (): Promise<void> => {
    let found: Member[] = [];
    const isWhole = async (): Promise<boolean> => {
      found = await members(nodes);
      const roles = found.map(({ role }) => role);
      const isUp = found.every(({ state }) => state === 'running' || state === 'streaming');
      return found.length === nodes.length && isUp && roles.includes('leader') && roles.includes('sync_standby');
    };
    const wait = (): Promise<void> => waitUntil(isWhole, 'the cluster is not whole', 200);
    await wait()
      .catch(wait)
      .catch(async (error: unknown) => {
        const logs = await Promise.all(nodes.map(({ name }) => readFile(join(root, `${name}.log`), 'utf8')));
        throw new Error([(error as Error).message, JSON.stringify(found), ...logs.map((log) => log.slice(-800))].join('\n'));
      });
  };
  await whole();
  const port = await freePort();
  const config = join(root, 'haproxy.cfg');
  await writeFile(config, balancerOf(port, nodes));
  await startProcess('haproxy', ['-db', '-f', config], { root, log: join(root, 'haproxy.log') });
  return {
    etcd,
    port,
    async primary() {
      const node = await leader();
      if (!node) throw new Error('the cluster has no primary');
      return node;
    },
    async killNode(node) {
      await closeNode(node);
      return () => start(node);
    },
    cutOff({ links }) {
      for (const link of links) link.cut();
      return () => links.forEach((link) => link.repair());
    },
    suspend: ({ name }) => running.get(name)?.signal('SIGSTOP'),
    async switchOver(from) {
      const body = JSON.stringify({ leader: from.name });
      const answer = await fetch(`http://127.0.0.1:${from.api}/switchover`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`Patroni refuses to switch over: ${await answer.text()}`);
    },
    whole,
    close,
  };
}
