// Four servers and two processes for mails on one database, behind one port.
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
  /** In their order at the balancer; whoever is started anew takes the place of the one before. */
  readonly servers: Product[];
  readonly workers: ProductProcess[];
  readonly balancer: Balancer;
  readonly smtp: Smtp;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** What one part of the proof has counted, and what should not have been. */
export interface Found {
  readonly line: string;
  readonly wrong: readonly string[];
}

export async function openFleet(on: Database): Promise<Fleet> {
  const [place, smtp, balancer] = [await openTestDatabase(on), await startSmtp(), await openBalancer()];
  // The proof says itself from which address somebody comes.
  const env = { SMTP_URL: smtp.url, TRUST_PROXY: '1' };
  // All at once, on an empty database: they migrate it together.
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

/** The same of every server at the same time. */
export const askAll = ({ servers }: Fleet, asking: ProductRequest): Promise<ProductResponse[]> =>
  Promise.all(servers.map((server) => server.ask(asking)));

/** Of one server after the other: the `turn`th request. */
export const askInTurn = ({ servers }: Fleet, turn: number, asking: ProductRequest): Promise<ProductResponse> => {
  const server = servers[turn % servers.length];
  if (!server) throw new Error('there is no server');
  return server.ask(asking);
};

export const statuses = (answers: readonly ProductResponse[]): string => answers.map(({ status }) => status).join(' ');
/** The same status of every server. */
export const everywhere = (status: number): string => Array<number>(SERVERS).fill(status).join(' ');
