// argon2id off the event loop and at most two at once, so that a hall full of sign-ins stalls nobody's order.
import { createNetworkKeys } from './network.ts';
import { busy, HttpError } from '../http/errors.ts';
import { hashOnThread, verifyOnThread } from './password-threads.ts';
import { createLimiter } from '../http/limiter.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hall that signs in at once waits; what is more is a flood. */
const MOST_WAITING = 1000;
export const SIGN_INS_BUSY = 'Very many people are signing in just now. Please try again in a moment.';
const hashQueue = createLimiter({
  concurrency: 2,
  maxQueued: MOST_WAITING,
  maxWait: 120_000,
  refusal: () => busy(SIGN_INS_BUSY),
});
const networks = createNetworkKeys();

/** Trimmed, as the specification has it, here and when comparing (spec §5). */
export const hashPassword = (password: string): Promise<string> => hashQueue(() => hashOnThread(password.trim(), COST));

let nobody: Promise<string> | undefined;

/** Made once, and again where that failed. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

export interface Client {
  readonly address: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Takes the same time for an account without a password and for no account at all. Networks of clients take turns. */
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
