// Reliability test "clock": ordering closes at the closing time `closesAt` while customers save on two servers. Depending on the round, the
// servers keep running, stop before that time, or are killed together with the database before it. Nothing may be written after `closesAt`,
// and every acknowledged order must exist.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { ORDERING_IS_CLOSED } from '../../../src/domain/texts.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { counted, waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import {
  createShop,
  nextShop,
  saveOrder,
  verifyShop,
  withDb,
  type BuyerLog,
  type Shop,
  isSaved,
  newLogs,
} from '../setup/orders-and-customers.ts';

const WRITES = 200;
const BUYERS = 40;
const ENDS = ['run on', 'stopped', 'killed with the database'] as const;
type End = (typeof ENDS)[number];
/**
 * The test sets `closesAt` to the current time plus this many milliseconds. If the servers are stopped or killed, this happens before
 * `closesAt`.
 */
const UNTIL_CLOSING_MS = 3000;
const MAX_UNTIL_STOP_MS = 500;

const anyOf = (servers: readonly Product[]): Product => {
  const server = servers[Math.floor(Math.random() * servers.length)];
  if (!server) throw new Error('no server runs');
  return server;
};

interface Round {
  readonly place: TestDatabase;
  readonly shop: Shop;
  readonly servers: readonly Product[];
}

/** Saves without a pause until ordering is closed or the servers have ended. A save that a server refused is removed from the log. */
async function buy({ shop, servers }: Round, log: BuyerLog, onSaved: () => void): Promise<BuyerLog> {
  for (;;) {
    const reply = await saveOrder(anyOf(servers), shop, { buyer: log.buyer, quantity: ++log.sent });
    if (!isSaved(reply.status)) {
      if (reply.status !== 0) log.sent -= 1;
      return log;
    }
    log.acknowledged.push(log.sent);
    onSaved();
  }
}

async function setClosing({ place, shop, servers }: Round): Promise<void> {
  const [row] = await withDb(place, (db) =>
    run<{ closesAt: string }>(db, `SELECT clock_timestamp() + interval '${UNTIL_CLOSING_MS} milliseconds' AS "closesAt"`, []),
  );
  const path = `/api/distributions/${shop.distributionId}`;
  const { status, text } = await anyOf(servers).ask({ method: 'PATCH', path, cookie: shop.distributor.cookie, body: { ...row } });
  if (status !== 200) throw new Error(`closesAt was not set: ${status} ${text}`);
}

const hasClosed = ({ place, shop }: Pick<Round, 'place' | 'shop'>): Promise<boolean> =>
  withDb(place, async (db) => {
    const text = 'SELECT clock_timestamp() > "closesAt" AS "hasClosed" FROM distributions WHERE id = $1';
    return (await run<{ hasClosed: boolean }>(db, text, [shop.distributionId]))[0]?.hasClosed === true;
  });

/**
 * Lets all customers save until ordering closes or the servers have ended, and then starts two new servers. `end` says how the old servers
 * end. Returns the new servers, and a log per customer with the sent and the acknowledged saves.
 */
async function closeAmid(round: Round, end: End): Promise<{ logs: BuyerLog[]; servers: readonly Product[] }> {
  const { place, shop, servers } = round;
  const enough = Promise.withResolvers<void>();
  let count = 0;
  const buying = newLogs(shop).map((log) =>
    buy(round, log, () => {
      if ((count += 1) === WRITES) enough.resolve();
    }),
  );
  await enough.promise;
  await setClosing(round);
  const closing = pause(UNTIL_CLOSING_MS);
  if (end !== 'run on') {
    await pause(Math.random() * MAX_UNTIL_STOP_MS);
    if (end === 'stopped') await Promise.all(servers.map((server) => server.stop()));
    else {
      const dead = servers.map((server) => server.kill());
      place.kill();
      await Promise.all(dead);
    }
  }
  const logs = await Promise.all(buying);
  await closing;
  if (end === 'run on') await Promise.all(servers.map((server) => server.stop()));
  await place.start();
  const next = await Promise.all([startProduct(place), startProduct(place)]);
  await waitUntil(() => hasClosed(round), 'closesAt has not passed');
  return { logs, servers: next };
}

/**
 * Repeats the saves that got no response, with the same idempotency keys. Each of them either was written before `closesAt`, or must be
 * refused now. Returns the number of these saves.
 */
async function repeat({ shop, servers }: Round, logs: readonly BuyerLog[]): Promise<number> {
  const open = logs.filter(({ sent, acknowledged }) => sent > acknowledged.length);
  for (const log of open) {
    const { status, text } = await saveOrder(anyOf(servers), shop, { buyer: log.buyer, quantity: log.sent });
    if (isSaved(status)) log.acknowledged.push(log.sent);
    else if (status === 409 && text === ORDERING_IS_CLOSED) log.sent -= 1;
    else throw new Error(`a repeated save was answered ${status} ${text}`);
  }
  return open.length;
}

/**
 * Returns the number of wrong responses after `closesAt`. Each server must say that ordering is closed, and must refuse the save of every
 * customer.
 */
async function wrongReplies({ shop, servers }: Round, logs: readonly BuyerLog[]): Promise<number> {
  const path = `/api/distributions/${shop.distributionId}`;
  const { cookie } = shop.distributor;
  const reads = await Promise.all(servers.map((server) => server.ask({ path, cookie })));
  const saves = await Promise.all(logs.map(({ buyer, sent }) => saveOrder(anyOf(servers), shop, { buyer, quantity: sent + 1 })));
  // When a server reads the audit trail, it first records that ordering has closed. Here both servers do this at the same time.
  await Promise.all(servers.map((server) => server.ask({ path: `${path}/audit`, cookie })));
  return (
    reads.filter(({ text }) => (JSON.parse(text) as { orderingOpen: boolean }).orderingOpen).length +
    saves.filter(({ status, text }) => status !== 409 || text !== ORDERING_IS_CLOSED).length
  );
}

const WRITTEN_LATE = `SELECT d.id FROM distributions d JOIN orders o ON o."distributionId" = d.id AND o."updatedAt" >= d."closesAt" WHERE d.id = $1
  UNION ALL SELECT d.id FROM distributions d JOIN order_products l ON l."distributionId" = d.id
    JOIN order_product_audit a ON a."orderProductId" = l.id AND a."updatedAt" >= d."closesAt" WHERE d.id = $1`;
const CLOSINGS = `SELECT a."updatedBy" IS NULL AND a."updatedAt" = d."closesAt" AS "isByClock" FROM distribution_audit a
  JOIN distributions d ON d.id = a."distributionId" WHERE d.id = $1 AND a.after ? 'orderingOpen'`;

/**
 * Returns the number of orders and lines that were written after `closesAt`. Also returns whether the audit trail contains the automatic
 * closing exactly once.
 */
const readTraces = ({ place, shop }: Round): Promise<{ late: number; isInTrail: boolean }> =>
  withDb(place, async (db) => {
    const late = (await run(db, WRITTEN_LATE, [shop.distributionId])).length;
    const closings = await run<{ isByClock: boolean }>(db, CLOSINGS, [shop.distributionId]);
    return { late, isInTrail: closings.length === 1 && closings[0]?.isByClock === true };
  });

export async function clock({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  let servers: readonly Product[] = await Promise.all([startProduct(place), startProduct(place)]);
  let shop = await createShop(place, BUYERS);
  const sum = { acknowledged: 0, repeated: 0, lost: 0, torn: 0, late: 0, wrong: 0, missing: 0 };
  const rounds = ENDS.length * runs(7);
  for (let number = 0; number < rounds; number++) {
    const end = ENDS[number % ENDS.length] ?? 'run on';
    shop = await nextShop(place, shop);
    const { logs, servers: next } = await closeAmid({ place, shop, servers }, end);
    servers = next;
    const round = { place, shop, servers };
    sum.repeated += await repeat(round, logs);
    sum.wrong += await wrongReplies(round, logs);
    const { acknowledged, lost, torn, unanswered } = await verifyShop(place, shop, logs);
    const { late, isInTrail } = await readTraces(round);
    sum.acknowledged += acknowledged;
    sum.lost += lost;
    sum.torn += torn + unanswered;
    sum.late += late;
    sum.missing += isInTrail ? 0 : 1;
    tell(`round ${number + 1}, servers ${end}: ${acknowledged} acknowledged, ${lost} lost, ${torn} torn, ${late} rows after closesAt`);
  }
  await Promise.all(servers.map((server) => server.stop()));
  await place.close();
  const { acknowledged, repeated, lost, torn, late, wrong, missing } = sum;
  const faults = `${late} rows after closesAt, ${lost} lost, ${torn} torn, ${wrong} wrong replies, ${missing} trails without the clock`;
  const line = `${counted(rounds, 'closings')}, ${counted(acknowledged, 'acknowledged')}, ${counted(repeated, 'repeated under their keys')}, ${faults}`;
  return { line, holds: late + lost + torn + wrong + missing === 0 };
}
