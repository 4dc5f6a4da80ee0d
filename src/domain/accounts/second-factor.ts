// Defines the second step of a sign-in: which roles can have it, and its limits (contract §19). Every function takes the time as an
// argument.
import type { Role } from './roles.ts';
import { MINUTE } from '../durations.ts';

/** The kinds of second factor that a user can set up. A recovery code replaces either of them once. */
export const FACTORS = ['passkey', 'code'] as const;
export type Factor = (typeof FACTORS)[number];

/** The roles that can set up a second factor; customers cannot. */
export const STAFF_ROLES = ['admin', 'distributor', 'agent'] as const satisfies readonly Role[];
export const mayHaveSecondFactor = (role: Role): boolean => role !== 'customer';

export const RECOVERY_CODES = 10;
export const MAX_PASSKEYS = 20;
/**
 * The maximum number of attempts at the second step of one sign-in; after them, the user must type the password again. Usually the account
 * is locked before.
 */
export const MAX_STEP_ATTEMPTS = 10;
/** After this many wrong codes in a row, codes of the authenticator app are refused (NIST SP 800-63B, 5.2.2). */
export const MAX_CODE_FAILURES = 100;

const STEP_MINUTES = 10;
/** Returns the time by which a second step, or the adding of a factor, must be completed if it starts at `now`. */
export const stepExpiry = (now: Date): Date => new Date(now.getTime() + STEP_MINUTES * MINUTE);
export const isRecentSignIn = (signedInAt: string, now: Date): boolean => now < stepExpiry(new Date(signedInAt));

const RECOVERY_LENGTH = 16;
const GROUP = 4;
/** The characters of recovery codes (Crockford's base 32), without I, L, O and U. A typed O is read as 0; I and L are read as 1. */
const RECOVERY_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Converts random bytes into a recovery code, in groups of four characters: '7K3M-9PQ2-XZ0A-4WTC'. */
export function recoveryCodeOf(random: Uint8Array): string {
  const signs = [...random.subarray(0, RECOVERY_LENGTH)].map((byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length] ?? '0').join('');
  return signs.replaceAll(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}
export const RECOVERY_BYTES = RECOVERY_LENGTH;

/** Removes the separators from a typed recovery code and converts it to the alphabet of the codes. */
export const normalizedRecoveryCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll(/[IL]/g, '1')
    .replaceAll('O', '0');

/** Removes spaces and hyphens from a typed code of the authenticator app: '123 456' becomes '123456'. */
export const normalizedCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '');
