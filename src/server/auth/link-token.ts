// The token of a mailed link is 256 random bits. The mail contains the token, and the database stores only its hash (reliability R33).
import { createHash, randomBytes } from 'node:crypto';
import { JOIN_PREFIX, TOKEN_PREFIX, type LinkKind } from '../../domain/accounts/account.ts';

const randomText = (): string => randomBytes(32).toString('base64url');

export const newLinkToken = (kind: LinkKind): string => TOKEN_PREFIX[kind] + randomText();
export const newJoinToken = (): string => JOIN_PREFIX + randomText();

/** Returns the hash of a token. The database stores this hash instead of the token. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
