// argon2id off the event loop and at most two at once, so that a hall full of sign-ins stalls nobody's order.
import { hashOnThread, verifyOnThread } from './password-threads.ts';
import { createLimiter } from '../http/limiter.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const hashQueue = createLimiter({ concurrency: 2 });

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

/** Takes the same time for an account without a password and for no account at all. Addresses of clients take turns. */
export async function passwordMatches(password: string, stored: string | null, address: string): Promise<boolean> {
  const ofNobody = await hashOfNobody();
  const matches = await hashQueue(() => verifyOnThread(stored ?? ofNobody, password.trim()), { key: address });
  return matches && stored !== null;
}
