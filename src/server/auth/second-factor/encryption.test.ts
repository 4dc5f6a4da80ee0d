import { expect, test } from 'vitest';
import { decrypt, encrypt } from './encryption.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
const KEY = 'a key of the operator, long enough';

test('an encrypted secret can be decrypted with the same key for the same user', () => {
  const stored = encrypt(SECRET, 7, KEY);
  expect(stored).not.toContain(SECRET);
  expect(encrypt(SECRET, 7, KEY)).not.toBe(stored);
  expect(decrypt(stored, 7, KEY)).toBe(SECRET);
});

test('an encrypted secret cannot be decrypted with another key, without a key, for another user or after a change of its bytes', () => {
  const stored = encrypt(SECRET, 7, KEY);
  const changed = `${stored.slice(0, 20)}${stored[20] === 'A' ? 'B' : 'A'}${stored.slice(21)}`;
  expect([decrypt(stored, 7, `${KEY}!`), decrypt(stored, 7, null), decrypt(stored, 8, KEY), decrypt(changed, 7, KEY)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('a secret is stored unencrypted when no key is configured, and stays readable when a key is configured later', () => {
  const stored = encrypt(SECRET, 7, null);
  expect([stored, decrypt(stored, 7, null), decrypt(stored, 7, KEY)]).toEqual([SECRET, SECRET, SECRET]);
});
