import { expect, test, vi } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

const verified = vi.hoisted((): string[] => []);
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  const verify: typeof argon2.verify = async (hashed, password, ...more) => {
    verified.push(String(hashed));
    return await argon2.verify(hashed, password, ...more);
  };
  return { ...argon2, verify };
});

test('a password is hashed with argon2id and matches with spaces around it, and no other does (spec §5; contract §3)', async () => {
  const stored = await hashPassword(' Three-Sheep-42 ');
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(stored).not.toContain('Three');
  const tries = ['Three-Sheep-42', '  Three-Sheep-42', 'three-sheep-42', ''].map((typed) => passwordMatches(typed, stored, '192.0.2.1'));
  expect(await Promise.all(tries)).toEqual([true, true, false, false]);
  expect(await passwordMatches('', null, '192.0.2.1')).toBe(false);
});

test('for nobody, and for an account without a password, as much is hashed as for a wrong one (contract §3)', async () => {
  const stored = await hashPassword('Three-Sheep-42');
  const costOf = (hashed: string): string => hashed.split('$').slice(0, 4).join('$');
  // What takes the time is one verification at the cost of the others; bench/enumeration.ts measures it.
  for (const hash of [stored, null, null]) {
    verified.length = 0;
    expect(await passwordMatches('Wrong-Word-1', hash, '192.0.2.1')).toBe(false);
    expect(verified.map(costOf)).toEqual([costOf(stored)]);
  }
});
