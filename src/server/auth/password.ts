// Computes argon2id hashes on other threads, at most two hashes at the same time, so that many sign-ins do not delay orders.
import { createNetworkKeys } from './network.ts';
import { busy, HttpError } from '../http/errors.ts';
import { hashOnThread, verifyOnThread } from './password-thread-pool.ts';
import { createLimiter } from '../http/limiter.ts';

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

/** Hashes a password. Surrounding spaces are removed before hashing and comparing (spec §5). */
export const hashPassword = (password: string): Promise<string> => hashQueue(() => hashOnThread(password.trim(), COST));

let nobody: Promise<string> | undefined;

/** Returns the hash of a random password. The hash is created at the first call, and kept unless creating it fails. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

export interface Client {
  readonly address: string;
  readonly signal: AbortSignal;
}

/**
 * Returns whether the password matches the hash `stored`. If `stored` is null (unknown account, or account without a password), the check
 * takes as long as with a hash. Networks take turns in the queue of password checks.
 */
export async function passwordMatches(password: string, stored: string | null, { address, signal }: Client): Promise<boolean> {
  const ofNobody = await hashOfNobody();
  try {
    const key = networks.keyOf(address);
    const matches = await hashQueue(() => verifyOnThread(stored ?? ofNobody, password.trim()), { key, signal });
    return matches && stored !== null;
  } catch (error) {
    if (error instanceof HttpError) networks.countRefusal(address);
    throw error;
  }
}
