// Checks that changes of accounts apply in all server processes at once. Such changes are the start and end of a session, the lock of an
// account, and delayed responses to an IP address.
import { run } from '../../../src/server/database/db.ts';
import { hashOfToken } from '../../../src/server/auth/token.ts';
import { hashPassword } from '../../../src/server/auth/password.ts';
import { makeCustomer, makeDistributor } from '../../data/factories.ts';
import type { Person } from '../../test-app.ts';
import { withDb } from '../setup/orders-and-customers.ts';
import { requestFromAll, requestRoundRobin, everywhere, statuses, type Fleet, type FleetFindings } from './fleet.ts';

const PASSWORD = 'Holiday2027';
const MAX_NETWORK_FAILURES = 300;
const SLOWED_BY_MS = 2000;

interface People {
  readonly distributor: Person;
  readonly customers: readonly Person[];
}

const people = (fleet: Fleet, customers: number): Promise<People> =>
  withDb(fleet.place, async (db) => {
    const distributor = await makeDistributor(db);
    const made = await Promise.all(Array.from({ length: customers }, () => makeCustomer(db, distributor)));
    await run(db, 'UPDATE users SET password = $1', [await hashPassword(PASSWORD)]);
    return { distributor, customers: made };
  });

const signIn = (fleet: Fleet, turn: number, who: { email: string; password?: string; address?: string }) =>
  requestRoundRobin(fleet, turn, {
    method: 'POST',
    path: '/api/login',
    body: { email: who.email, password: who.password ?? PASSWORD },
    address: who.address ?? `10.0.0.${turn % 250}`,
  });

/**
 * Opens a session on one server, and checks that it is valid on all servers. Then ends the session on one server, and returns the status
 * with which each server responds afterwards.
 */
async function endedBy(fleet: Fleet, person: Person, turn: number, end: (cookie: string) => Promise<number>): Promise<string> {
  const { cookie } = await signIn(fleet, turn, person);
  const asking = { path: '/api/user', cookie: cookie ?? '' };
  const known = statuses(await requestFromAll(fleet, asking));
  const ended = await end(asking.cookie);
  return known === everywhere(200) && ended < 300 ? statuses(await requestFromAll(fleet, asking)) : `known ${known}, ended with ${ended}`;
}

async function endings(fleet: Fleet, { distributor, customers }: People): Promise<string[]> {
  const office = (await signIn(fleet, 0, distributor)).cookie ?? '';
  const wrong: string[] = [];
  for (const [turn, person] of customers.entries()) {
    const post = (path: string, cookie: string, body?: object) =>
      requestRoundRobin(fleet, turn + 1, { method: 'POST', path, cookie, ...(body ? { body } : {}) }).then(({ status }) => status);
    const token = `token ${person.id}`;
    const ways = {
      'sign-out': (cookie: string) => post('/api/logout', cookie),
      // The request is sent with another session of the same user.
      'sign-out everywhere': async () => post('/api/user/sign-out-everywhere', (await signIn(fleet, turn, person)).cookie ?? ''),
      reset: async () => {
        const text = `UPDATE users SET "resetPasswordToken" = $2, "resetPasswordExpires" = now() + interval '1 hour' WHERE id = $1`;
        await withDb(fleet.place, (db) => run(db, text, [person.id, hashOfToken(token)]));
        return await post('/api/reset-password/reset', '', { token, password: PASSWORD });
      },
      disabling: () => post(`/api/users/customer/${person.id}/disable`, office),
    };
    for (const [way, end] of Object.entries(ways)) {
      const seen = await endedBy(fleet, person, turn, end);
      if (seen !== everywhere(401)) wrong.push(`after ${way}: ${seen}`);
    }
  }
  return wrong;
}

/**
 * Sends four failed sign-ins to each server at the same time. The servers together check only five passwords. After that, no server lets
 * the user sign in.
 */
async function locks(fleet: Fleet, customers: readonly Person[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { email } of customers) {
    const guesses = await Promise.all(Array.from({ length: 16 }, (_, turn) => signIn(fleet, turn, { email, password: 'Guess-1' })));
    const judged = guesses.filter(({ status }) => status === 401).length;
    const after = await Promise.all(fleet.servers.map((_, turn) => signIn(fleet, turn, { email })));
    if (judged !== 5 || statuses(after) !== everywhere(429)) wrong.push(`${judged} guesses judged, then ${statuses(after)}`);
  }
  return wrong;
}

/**
 * Sends more than 300 failed sign-ins from one IP address to all servers. Each server must then delay its responses to failed sign-ins from
 * this address. It must still accept the right password without a delay.
 */
async function slows(fleet: Fleet, { email }: Person): Promise<string[]> {
  const address = '10.9.9.9';
  const fail = (turn: number) => signIn(fleet, turn, { email: `nobody${turn}@test.example`, address });
  for (let turn = 0; turn < MAX_NETWORK_FAILURES; turn += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => fail(turn + index)));
  const slowed = await Promise.all(fleet.servers.map((_, turn) => fail(MAX_NETWORK_FAILURES + turn)));
  const isSlowed = slowed.every(({ ms, status }) => ms >= SLOWED_BY_MS && status === 401);
  const [right, elsewhere] = [await signIn(fleet, 1, { email, address }), await signIn(fleet, 2, { email: 'nobody@test.example' })];
  const isRight = right.status === 200 && right.ms < SLOWED_BY_MS && elsewhere.ms < SLOWED_BY_MS;
  return isSlowed && isRight ? [] : [`after 300 failures: ${slowed.map(({ ms }) => Math.round(ms)).join(' ')} ms, ${right.status}`];
}

export async function accounts(fleet: Fleet, rounds: number): Promise<FleetFindings> {
  const { distributor, customers } = await people(fleet, 2 * rounds + 1);
  const [ended, locked, [last]] = [customers.slice(0, rounds), customers.slice(rounds, 2 * rounds), customers.slice(-1)];
  const wrong = await endings(fleet, { distributor, customers: ended });
  wrong.push(...(await locks(fleet, locked)), ...(last ? await slows(fleet, last) : []));
  const line = `${4 * rounds} sessions opened by one, known by ${fleet.servers.length} and ended for all, ${rounds} locks, an address slowed`;
  return { line, wrong };
}
