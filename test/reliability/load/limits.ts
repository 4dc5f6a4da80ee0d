// Reliability test "limits": 1,000 customers order on two servers, 64 of them at the same time. Only 100 units of the product are available
// (contract §12).
import { makeCustomer, makeDistributor } from '../../data/factories.ts';
import { ENDS, sellScarce, type Send } from '../../data/scarce-crowd.ts';
import { openTestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { signedIn, withDb, type Buyer } from '../setup/orders-and-customers.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import type { TestDb } from '../../database/test-db.ts';

const CUSTOMERS = 1000;
const EXPECTED = new Set([200, 201, 204, 400, 404, 409]);

function senderTo(db: TestDb, servers: readonly Product[], onReply: () => void): Send {
  const sessions = new Map<number, Promise<Buyer>>();
  return async (by, method, path, body) => {
    const session = sessions.get(by.id) ?? signedIn(db, by);
    sessions.set(by.id, session);
    const { cookie } = await session;
    // The statuses 503 and 429 say that the server is busy and has done nothing. The test then repeats the request.
    for (;;) {
      const server = servers[Math.floor(Math.random() * servers.length)];
      const { status, text } = (await server?.ask({ method, path: `/api${path}`, cookie, ...(body ? { body } : {}) })) ?? {
        status: 0,
        text: '',
      };
      onReply();
      if (EXPECTED.has(status)) return status;
      if (status !== 503 && status !== 429) throw new Error(`${method} ${path} was answered ${status} ${text}`);
    }
  };
}

export async function limits({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const servers = await Promise.all([startProduct(place), startProduct(place)]);
  const rounds = ENDS.length * runs(10);
  let replies = 0;
  await withDb(place, async (db) => {
    const distributor = await makeDistributor(db);
    const people = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(db, distributor)));
    const send = senderTo(db, servers, () => (replies += 1));
    for (let round = 0; round < rounds; round++) {
      const end = ENDS[round % ENDS.length] ?? 'until it is sold out';
      await sellScarce({ db, distributor, people, send }, end);
      tell(`round ${round + 1}, ${end}: holds`);
    }
  });
  await Promise.all(servers.map((server) => server.stop()));
  await place.close();
  const what = 'never more than the limit, every unit ordered or held, holds in order, nothing ordered after a closing';
  return { line: `${counted(rounds, 'rounds')}, ${counted(replies, 'requests')}: ${what}`, holds: true };
}
