// A token is 256 random bits in a mailed link or in a cookie. The database stores only its hash (reliability R33).
import { hash, randomBytes } from 'node:crypto';
import { JOIN_PREFIX, TOKEN_PREFIX, type LinkKind } from '../../domain/accounts/account.ts';

export const newToken = (): string => randomBytes(32).toString('base64url');
export const newLinkToken = (kind: LinkKind): string => TOKEN_PREFIX[kind] + newToken();
export const newJoinToken = (): string => JOIN_PREFIX + newToken();

/** Returns the hash of a token. The database stores this hash instead of the token. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'base64url');

/** Returns the hash of the token in a cookie. Returns null without a cookie, and for a value that is longer than any token. */
export const hashOfCookie = (cookie: string | undefined): string | null => (cookie && cookie.length <= 100 ? hashOfToken(cookie) : null);
