// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { batchesOf, type AddedRow } from './customer-import.ts';

describe('the requests of a customer import', () => {
  const rowOf = (email: string, address = ''): AddedRow => {
    const user = { email, firstName: '', lastName: '', address, city: '', state: '', zip: '', phone: '' };
    return { kind: 'add', line: 2, cells: user, user };
  };

  it('contain at most 5,000 customers each', () => {
    const rows = Array.from({ length: 12_001 }, (_, n) => rowOf(`c${n}@home.example`));
    expect(batchesOf(rows).map((batch) => batch.length)).toEqual([5000, 5000, 2001]);
    expect(batchesOf([])).toEqual([]);
  });

  it("stay below the server's limit of 4 MB", () => {
    const rows = Array.from({ length: 5000 }, (_, n) => rowOf(`c${n}@home.example`, '€'.repeat(400)));
    const batches = batchesOf(rows);
    expect(batches.length).toBe(2);
    expect(batches.flat()).toEqual(rows);
    for (const batch of batches) expect(Buffer.byteLength(JSON.stringify(batch.map(({ user }) => user)))).toBeLessThan(4_194_304);
  });
});
