// Runs four servers and two mail workers on one database, with a load balancer in front of the servers.
import { startSmtp, type Smtp } from '../../mail/smtp-server.ts';
import { openBalancer, type Balancer } from '../load/balancer.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { onCleanup } from '../setup/cleanups.ts';
import {
  startProduct,
  startWorker,
  type ProductResponse,
  type ProductRequest,
  type Product,
  type ProductProcess,
} from '../setup/product.ts';
import type { Database } from '../reliability-test.ts';

export const SERVERS = 4;
export const WORKERS = 2;

export interface Fleet {
  readonly place: TestDatabase;
  /** The servers, in the same sequence as the load balancer's ports. A restarted server takes the place of the previous one. */
  readonly servers: Product[];
  readonly workers: ProductProcess[];
  readonly balancer: Balancer;
  readonly smtp: Smtp;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export interface FleetFindings {
  readonly line: string;
  readonly wrong: readonly string[];
}

export async function openFleet(on: Database): Promise<Fleet> {
  const [place, smtp, balancer] = [await openTestDatabase(on), await startSmtp(), await openBalancer()];
  // With TRUST_PROXY, the test can choose the IP address that the servers see for a client.
  const env = { SMTP_URL: smtp.url, TRUST_PROXY: '1' };
  // All servers start at the same time on an empty database, and all of them try to migrate it.
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startProduct(place, env)));
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(place, env)));
  balancer.backends.push(...servers.map(({ port }) => port));
  const stopSmtp = onCleanup(() => smtp.stop());
  const close = async (): Promise<void> => {
    await Promise.all([...servers, ...workers].map((process) => process.stop()));
    await balancer.close();
    await stopSmtp();
    await place.close();
  };
  return { place, servers, workers, balancer, smtp, env, close };
}

export const requestFromAll = ({ servers }: Fleet, asking: ProductRequest): Promise<ProductResponse[]> =>
  Promise.all(servers.map((server) => server.ask(asking)));

/** Sends the request to one of the servers. Consecutive values of `turn` address the servers one after the other. */
export const requestRoundRobin = ({ servers }: Fleet, turn: number, asking: ProductRequest): Promise<ProductResponse> => {
  const server = servers[turn % servers.length];
  if (!server) throw new Error('there is no server');
  return server.ask(asking);
};

export const statuses = (answers: readonly ProductResponse[]): string => answers.map(({ status }) => status).join(' ');
/** Returns the text to expect from `statuses` if every server responds with this status. */
export const everywhere = (status: number): string => Array<number>(SERVERS).fill(status).join(' ');
