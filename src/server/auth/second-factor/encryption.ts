// Encrypts the secret of a code app with SECOND_FACTOR_KEY, so that nobody can compute codes from the database or a backup alone (decision
// 22).
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const PREFIX = 'v1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string): Buffer => hash('sha256', `feastday second factor ${secret}`, 'buffer');

/**
 * Returns a secret in the form that the database stores. Without a key the secret is not encrypted. The user's id is part of the
 * authenticated data, so an encrypted secret that is copied to another user's row cannot be decrypted.
 */
export function encrypt(text: string, userId: number, key: string | null): string {
  if (key === null) return text;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), iv).setAAD(Buffer.from(String(userId)));
  const encrypted = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([encrypted, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a stored secret. Returns null if the key is missing, or if the secret was encrypted with another key. */
export function decrypt(stored: string, userId: number, key: string | null): string | null {
  if (!stored.startsWith(PREFIX)) return stored;
  if (key === null) return null;
  const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url');
  const decipher = createDecipheriv(CIPHER, keyOf(key), bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(String(userId)));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
