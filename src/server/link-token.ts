// The token of a mailed link: 256 random bits in the mail, their hash in the table (reliability R33).
import { createHash, randomBytes } from 'node:crypto';

export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** What users.resetPasswordToken holds of a token. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
