// Creates and checks time-based codes of six digits (RFC 6238). The codes use SHA-1 and steps of 30 seconds, because many apps ignore other
// settings.
import { Secret, TOTP } from 'otpauth';

const PERIOD = 30;
/**
 * The number of time steps before and after the current one whose codes are accepted, because the clock of a phone may be half a minute
 * wrong.
 */
const WINDOW = 1;
/** RFC 4226 recommends a secret of 160 bits. */
const SECRET_BYTES = 20;

const totp = (secret: Secret, email = ''): TOTP =>
  new TOTP({ issuer: 'Feastday', label: email, algorithm: 'SHA1', digits: 6, period: PERIOD, secret });

export const newCodeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const codeUri = (secret: string, email: string): string => totp(Secret.fromBase32(secret), email).toString();

/** Returns the time step to which a correct code belongs, or null for a wrong code. The comparison takes constant time. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totp(Secret.fromBase32(secret)).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD) + delta;
}
