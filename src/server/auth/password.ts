// Computes argon2id hashes on other threads, at most two hashes at the same time, so that many sign-ins do not delay orders.
import { blockOrAddressOf, createNetworkKeys } from './network.ts';
import { busy, HttpError } from '../errors.ts';
import { hashOnThread, verifyOnThread } from './password-thread-pool.ts';
import { createLimiter } from '../queues/limiter.ts';
import { createRecentCounts } from '../queues/counts.ts';
import { MINUTE } from '../../domain/durations.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * The beginning of every hash that Feastday creates. An import refuses other hashes, because a hash could demand so much memory that
 * checking a password against it stops the server.
 */
export const HASH_START = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;
/**
 * The maximum number of waiting sign-ins. It is enough for all people in a hall who sign in at once. More waiting sign-ins are treated as
 * an attack.
 */
const MAX_WAITING = 1000;
export const SIGN_INS_BUSY = 'Very many people are signing in just now. Please try again in a moment.';
const hashQueue = createLimiter({
  concurrency: 2,
  maxQueued: MAX_WAITING,
  maxWait: 120_000,
  refusal: () => busy(SIGN_INS_BUSY),
});
const networks = createNetworkKeys();

/**
 * A network (IPv4 address or IPv6 /48) guesses passwords if more than this many were wrong within the last one to two minutes. Each account
 * that has signed in from there makes up for GUESSES_OF_ACCOUNT of them, because people mistype their passwords. All networks that guess have
 * the turns of one network together, so that ten of them do not delay the sign-ins of a hall.
 */
const MAX_GUESSES = 10;
const GUESSES_OF_ACCOUNT = 3;
const guesses = createRecentCounts(MINUTE);
/**
 * Counts the sign-ins of each account by the hash of its password. A further sign-in within the same time counts as a guess, because nobody
 * needs two.
 */
const signIns = createRecentCounts(MINUTE);
const OF_GUESSING = 'networks that guess';
const ownerOf = (block: string): string | undefined => (guesses.of(block) > MAX_GUESSES ? OF_GUESSING : undefined);

function countCheck(block: string, hash: string, matches: boolean): void {
  const isFirst = matches && signIns.of(hash) === 0;
  if (matches) signIns.add(hash);
  guesses.add(block, isFirst ? -GUESSES_OF_ACCOUNT : 1);
}

export interface Client {
  readonly address: string;
  readonly signal: AbortSignal;
  /** The user who is signed in, or who has signed in last on this device at this process. */
  readonly userId?: number | null;
}

/**
 * Runs the job in the password queue, in which IPv4 addresses and IPv6 blocks (/48) take turns, and so do the users whom the server knows and
 * the networks of each block. If the job is refused because the queue is full, the refusal counts toward the limits of the network.
 */
async function runInQueue<Result>(job: () => Promise<Result>, { address, signal, userId = null }: Client): Promise<Result> {
  try {
    const block = blockOrAddressOf(address);
    const key = userId === null ? networks.keyOf(address) : `user ${userId}`;
    return await hashQueue(job, { key, group: block, owner: ownerOf(block), signal });
  } catch (error) {
    if (error instanceof HttpError) networks.countRefusal(address);
    throw error;
  }
}

/**
 * Hashes a password. Surrounding spaces are removed before hashing and comparing (spec §5). For a request, `client` says who sent it: the
 * networks of the clients take turns in the queue. The server also hashes passwords without a request, for example that of the first admin.
 */
export function hashPassword(password: string, client?: Client): Promise<string> {
  const hash = (): Promise<string> => hashOnThread(password.trim(), COST);
  return client ? runInQueue(hash, client) : hashQueue(hash);
}

let nobody: Promise<string> | undefined;

/** Returns the hash of a random password. The hash is created at the first call, and kept unless creating it fails. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

/**
 * Returns whether the password matches the hash `stored`. If `stored` is null (unknown account, or account without a password), the check
 * takes as long as with a hash. Networks take turns in the queue of password checks.
 */
export async function passwordMatches(password: string, stored: string | null, client: Client): Promise<boolean> {
  const ofNobody = await hashOfNobody();
  const hash = stored ?? ofNobody;
  const matches = (await runInQueue(() => verifyOnThread(hash, password.trim()), client)) && stored !== null;
  countCheck(blockOrAddressOf(client.address), hash, matches);
  return matches;
}
