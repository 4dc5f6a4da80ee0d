import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('a password is hashed with argon2id and matches with spaces around it, and no other does (spec §5; contract §3)', async () => {
  const stored = await hashPassword(' Three-Sheep-42 ');
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(stored).not.toContain('Three');
  const tries = ['Three-Sheep-42', '  Three-Sheep-42', 'three-sheep-42', ''].map((typed) => passwordMatches(typed, stored, '192.0.2.1'));
  expect(await Promise.all(tries)).toEqual([true, true, false, false]);
  expect(await passwordMatches('', null, '192.0.2.1')).toBe(false);
});

test(
  'for nobody, and for an account without a password, a sign-in takes as long as for a wrong one (contract §3)',
  { timeout: 60_000 },
  async () => {
    const stored = await hashPassword('Three-Sheep-42');
    const took = { somebody: 0, nobody: 0 };
    // One after the other, so that a busy machine slows both.
    for (let round = 0; round < 12; round++) {
      for (const [who, hash] of [['somebody', stored] as const, ['nobody', null] as const]) {
        const began = performance.now();
        expect(await passwordMatches('Wrong-Word-1', hash, '192.0.2.1')).toBe(false);
        if (round >= 2) took[who] += performance.now() - began;
      }
    }
    const share = took.nobody / took.somebody;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(2);
  },
);
