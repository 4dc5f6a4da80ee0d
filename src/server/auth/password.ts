// Runs argon2id on other threads and at most two at once, so that many sign-ins delay no order.
import { createNetworkKeys } from './network.ts';
import { busy, HttpError } from '../http/errors.ts';
import { hashOnThread, verifyOnThread } from './password-threads.ts';
import { createLimiter } from '../http/limiter.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Room for all people of a hall who sign in at once; more is a flood. */
const MOST_WAITING = 1000;
export const SIGN_INS_BUSY = 'Very many people are signing in just now. Please try again in a moment.';
const hashQueue = createLimiter({
  concurrency: 2,
  maxQueued: MOST_WAITING,
  maxWait: 120_000,
  refusal: () => busy(SIGN_INS_BUSY),
});
const networks = createNetworkKeys();

/** Surrounding spaces are removed for hashing and comparing, as specified (spec §5). */
export const hashPassword = (password: string): Promise<string> => hashQueue(() => hashOnThread(password.trim(), COST));

let nobody: Promise<string> | undefined;

/** Created once, and again after a failure. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

export interface Client {
  readonly address: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Takes equally long for an account without a password and for an unknown account. Client networks are served in turn. */
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
