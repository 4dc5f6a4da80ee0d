// The token of a mailed link: 256 random bits in the mail, their hash in the table (reliability R33).
import { createHash, randomBytes } from 'node:crypto';
import { JOIN_PREFIX, TOKEN_PREFIX, type LinkKind } from '../../domain/accounts/account.ts';

const randomText = (): string => randomBytes(32).toString('base64url');

export const newLinkToken = (kind: LinkKind): string => TOKEN_PREFIX[kind] + randomText();
export const newJoinToken = (): string => JOIN_PREFIX + randomText();

/** The stored form of a token. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
