// Runs an etcd cluster of three members on one machine, with the program of Debian's package.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../reliability-test.ts';
import { startProcess, type ClusterProcess } from './cluster-processes.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

export interface Etcd {
  readonly endpoints: readonly string[];
  /** Kills the leading member with kill -9. Returns a function that starts this member again. */
  readonly killLeader: () => Promise<() => Promise<void>>;
}

interface Member {
  readonly name: string;
  readonly client: string;
  readonly peer: string;
}

interface Status {
  readonly Endpoint: string;
  readonly Status: { readonly leader: number; readonly header: { readonly member_id: number } };
}

async function statuses(endpoints: readonly string[]): Promise<Status[]> {
  const env = { PATH: process.env['PATH'], ETCDCTL_API: '3' };
  const args = ['--endpoints', endpoints.join(), '--dial-timeout=1s', '--command-timeout=2s', 'endpoint', 'status', '-w', 'json'];
  // etcdctl exits with an error when a member is down, but its output still lists the other members.
  const stdout = await promisify(execFile)('etcdctl', args, { env }).then(
    (done) => done.stdout,
    (error: unknown) => (error as { stdout?: string }).stdout ?? '',
  );
  try {
    // The ids are larger than Number.MAX_SAFE_INTEGER, so JSON.parse rounds them. Equal ids stay equal.
    return JSON.parse(stdout) as Status[];
  } catch {
    return [];
  }
}

const isLeader = ({ Status: { leader, header } }: Status): boolean => leader !== 0 && leader === header.member_id;

export async function startEtcd(root: string): Promise<Etcd> {
  const members: Member[] = [];
  for (const name of ['etcd1', 'etcd2', 'etcd3'])
    members.push({ name, client: `http://127.0.0.1:${await freePort()}`, peer: `http://127.0.0.1:${await freePort()}` });
  const cluster = members.map(({ name, peer }) => `${name}=${peer}`).join();
  const start = async ({ name, client, peer }: Member): Promise<ClusterProcess> => {
    const folder = join(root, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', cluster];
    return await startProcess('etcd', ['--name', name, '--data-dir', folder, ...addresses, ...peers], {
      root,
      log: join(root, `${name}.log`),
    });
  };
  const running = new Map<string, ClusterProcess>();
  for (const member of members) running.set(member.client, await start(member));
  const endpoints = members.map(({ client }) => client);
  const withLeader = async (): Promise<boolean> => (await statuses(endpoints)).some(isLeader);
  await waitUntil(withLeader, 'etcd has no leader after a minute', 200);
  return {
    endpoints,
    async killLeader() {
      const leader = (await statuses(endpoints)).find(isLeader)?.Endpoint ?? '';
      const member = members.find(({ client }) => client === leader);
      if (!member) throw new Error('etcd has no leader');
      await running.get(leader)?.kill();
      return async () => void running.set(leader, await start(member));
    },
  };
}
