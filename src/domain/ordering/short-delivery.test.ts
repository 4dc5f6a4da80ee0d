import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SHARING_RULES, sharesOf, sharingProblem } from './short-delivery.ts';

const sum = (quantities: readonly number[]) => quantities.reduce((all, quantity) => all + quantity, 0);

test.each([
  [[4, 2, 2], 4, 'proportional', [2, 1, 1]],
  [[3, 3, 3], 4, 'proportional', [2, 1, 1]],
  [[1, 1, 8], 5, 'proportional', [1, 0, 4]],
  [[5, 1], 3, 'proportional', [3, 0]],
  [[4, 0, 4], 1, 'proportional', [1, 0, 0]],
  [[4, 2, 2], 5, 'first', [4, 1, 0]],
  [[4, 2, 2], 0, 'first', [0, 0, 0]],
  [[4, 2, 2], 0, 'proportional', [0, 0, 0]],
  [[4, 2], 6, 'proportional', [4, 2]],
  [[4, 2], 9, 'first', [4, 2]],
  [[], 3, 'proportional', []],
] as const)(
  'when the quantities %j were ordered and %d units are delivered, the rule %s divides the units into %j (contract §16)',
  (ordered, units, rule, shares) => {
    expect(sharesOf(ordered, units, rule)).toEqual(shares);
  },
);

const anyOrdered = fc.array(fc.oneof(fc.nat(5), fc.nat(1_000_000)), { maxLength: 60 });

describe.each(SHARING_RULES)('the division of a short delivery by the rule %s', (rule) => {
  test('uses all delivered units, and gives nobody more than was ordered (contract §16)', () => {
    fc.assert(
      fc.property(anyOrdered, fc.nat(70_000_000), (ordered, any) => {
        const units = any % (sum(ordered) + 2);
        const shares = sharesOf(ordered, units, rule);
        expect(shares).toHaveLength(ordered.length);
        expect(sum(shares)).toBe(Math.min(units, sum(ordered)));
        for (const [place, share] of shares.entries()) {
          expect(Number.isInteger(share) && share >= 0).toBe(true);
          expect(share).toBeLessThanOrEqual(ordered[place] ?? 0);
        }
      }),
    );
  });
});

test('the proportional rule differs from the exact proportion by less than one unit for each order (contract §16)', () => {
  fc.assert(
    fc.property(anyOrdered, fc.nat(70_000_000), (ordered, any) => {
      const all = sum(ordered);
      if (all === 0) return;
      const units = any % all;
      for (const [place, share] of sharesOf(ordered, units, 'proportional').entries()) {
        const gap = BigInt(share) * BigInt(all) - BigInt(ordered[place] ?? 0) * BigInt(units);
        expect(gap < BigInt(all) && gap > -BigInt(all)).toBe(true);
      }
    }),
  );
});

test('the first-come rule gives each order its full quantity before the next order gets any (contract §16)', () => {
  fc.assert(
    fc.property(anyOrdered, fc.nat(70_000_000), (ordered, any) => {
      const shares = sharesOf(ordered, any % (sum(ordered) + 1), 'first');
      const short = shares.findIndex((share, place) => share < (ordered[place] ?? 0));
      if (short >= 0) expect(sum(shares.slice(short + 1))).toBe(0);
    }),
  );
});

test.each([
  [[2, 3], 4, null],
  [[2, 3], 5, 'Nothing is short: 5 are ordered.'],
  [[1], 3, 'Nothing is short: 1 is ordered.'],
  [[], 0, 'Nobody has ordered this product.'],
])(
  'when the quantities %j are ordered and %d units are delivered, the reason why they cannot be divided is %s (contract §16)',
  (ordered, units, problem) => {
    expect(sharingProblem(ordered, units)).toBe(problem);
  },
);
