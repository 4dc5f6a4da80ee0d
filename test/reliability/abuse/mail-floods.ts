// Sends floods of join requests and invitations to one process of the application, and measures how long other users wait for their mails.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { MAX_PER_NETWORK, MAX_PER_SITE } from '../../../src/features/join-requests/contract.ts';
import type { Outcome, Setting } from '../reliability-test.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { createShop, withDb, type Shop } from '../setup/orders-and-customers.ts';

const JOINS = 2100;
const INVITATIONS = 2500;
const CONCURRENCY = 100;
const MAX_JOIN = 60;
const MAX_RESET = 10;
const PATIENCE_MS = 180_000;

/** Returns the seconds between queuing and sending a mail, or Infinity if the mail was not sent after three minutes. */
async function secondsUntilSent(place: TestDatabase, kind: string, to: string): Promise<number> {
  const text = `SELECT extract(epoch FROM "sentAt" - "createdAt")::float8 AS seconds FROM emails
    WHERE kind = $1 AND "to" = $2 AND status = 'sent'`;
  return await withDb(place, async (db) => {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await pause(50)) {
      const [sent] = await run<{ seconds: number }>(db, text, [kind, to]);
      if (sent) return sent.seconds;
    }
    return Infinity;
  });
}

const count = (place: TestDatabase, text: string, values: readonly unknown[]): Promise<number> =>
  withDb(place, async (db) => (await run<{ count: number }>(db, text, values))[0]?.count ?? 0);

interface JoinFlood {
  readonly name: string;
  readonly addressOf: (n: number) => string;
  readonly mostRequests: number;
}

const JOIN_FLOODS: readonly JoinFlood[] = [
  { name: 'network', addressOf: () => '203.0.113.7', mostRequests: MAX_PER_NETWORK },
  { name: 'site', addressOf: (n) => `2001:db8:5:${(n % 256).toString(16)}::7`, mostRequests: MAX_PER_SITE },
];

/** One IP address, or one IPv6 site (/56), uses the join link thousands of times. Meanwhile, a customer from another network joins. */
async function floodOfJoins(
  place: TestDatabase,
  product: Product,
  { flood: { name, addressOf, mostRequests }, joins }: { flood: JoinFlood; joins: number },
): Promise<Outcome> {
  const [shop, code, honest] = [await createShop(place, 1), `flooded-${name}`, `honest-${name}@test.example`];
  const register = (email: string, address: string) =>
    product.ask({ method: 'POST', path: '/api/register', body: { email, code }, address });
  await withDb(place, (db) =>
    run(db, 'INSERT INTO organizations ("distributorId", "joinCode") VALUES ($1, $2)', [shop.distributor.id, code]),
  );
  const statuses = new Set<string>();
  const flood = async (from: number): Promise<void> => {
    for (let n = from; n < joins; n += CONCURRENCY) {
      const { status, text } = await register(`flood-${name}@family${n}.example`, addressOf(n));
      statuses.add(`${status} ${text}`);
    }
  };
  const flooding = Promise.all(Array.from({ length: CONCURRENCY }, (_, from) => flood(from)));
  await pause(1000);
  const { status, text } = await register(honest, '198.51.100.9');
  statuses.add(`${status} ${text}`);
  await flooding;
  const seconds = await secondsUntilSent(place, 'join', honest);
  const accounts = await count(place, `SELECT count(*)::int AS count FROM users WHERE email LIKE $1`, [`flood-${name}%`]);
  const requests = await count(place, `SELECT count(*)::int AS count FROM join_requests WHERE email LIKE $1`, [`flood-${name}%`]);
  return {
    line: `${joins} joins of one ${name}: ${accounts} accounts, ${requests} requests, ${statuses.size} kind of reply; a joiner beside them was mailed after ${seconds.toFixed(1)} s`,
    holds: accounts === 0 && requests <= mostRequests && statuses.size === 1 && seconds <= MAX_JOIN,
  };
}

/** A distributor invites thousands of people. Right afterwards, a customer of another distributor requests a password reset. */
async function floodOfInvitations(
  place: TestDatabase,
  product: Product,
  { shop, invited }: { shop: Shop; invited: number },
): Promise<Outcome> {
  const emailOf = (id: number): Promise<string> =>
    withDb(place, async (db) => (await run<{ email: string }>(db, 'SELECT email FROM users WHERE id = $1', [id]))[0]?.email ?? '');
  const other = await createShop(place, 1);
  const customer = await emailOf(other.buyers[0]?.id ?? 0);
  const users = Array.from({ length: invited }, (_, n) => ({ email: `invited${n}@test.example` }));
  const replyTo = await emailOf(shop.distributor.id);
  const imported = await product.ask({
    method: 'POST',
    path: '/api/users/customer',
    cookie: shop.distributor.cookie,
    body: { users, replyTo },
  });
  await product.ask({ method: 'POST', path: '/api/reset-password/request', body: { email: customer }, address: '198.51.100.9' });
  const seconds = await secondsUntilSent(place, 'reset', customer);
  const queued = await count(place, `SELECT count(*)::int AS count FROM emails WHERE kind = 'invitation' AND status = 'queued'`, []);
  return {
    line: `${invited} invitations queued: a reset of another distributor’s customer was sent after ${seconds.toFixed(1)} s, with ${queued} invitations left`,
    holds: imported.status === 201 && seconds <= MAX_RESET,
  };
}

export async function mailFloods({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place, { TRUST_PROXY: '1' });
  try {
    const outcomes: Outcome[] = [];
    for (const flood of JOIN_FLOODS) {
      outcomes.push(await floodOfJoins(place, product, { flood, joins: runs(JOINS) }));
      tell(outcomes.at(-1)?.line ?? '');
    }
    const shop = await createShop(place, 1);
    const invitations = await floodOfInvitations(place, product, { shop, invited: runs(INVITATIONS) });
    tell(invitations.line);
    outcomes.push(invitations);
    return { line: outcomes.map(({ line }) => line).join('; '), holds: outcomes.every(({ holds }) => holds) };
  } finally {
    await product.stop();
    await place.close();
  }
}
