// argon2id off the event loop and at most two at once, so that a hall full of sign-ins stalls nobody's order.
import { hash, verify } from '@node-rs/argon2';
import { turns } from './turns.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const inTurn = turns(2);

/** Trimmed, as the specification has it, here and when comparing (spec §5). */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.trim(), COST));

let nobody: Promise<string> | undefined;

/** Takes the same time for an account without a password and for no account at all. Addresses of clients take turns. */
export async function passwordMatches(password: string, stored: string | null, address: string): Promise<boolean> {
  nobody ??= hashPassword(crypto.randomUUID());
  const against = stored ?? (await nobody);
  const matches = await inTurn(() => verify(against, password.trim()), address);
  return matches && stored !== null;
}
