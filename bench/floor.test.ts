import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each([
  ['app.mjs', 'bcec55da2ee2b08e3c8d0408408af423f9ce3625762af47a9f01a13f257ce000'],
  ['schema.sql', 'fe988ebc6542bf313587e9873e2dca0d4d5cd9a8bccf9f780ec054fabb8cf988'],
])('the file %s of the baseline server, with which the benchmarks compare Feastday, still has the recorded hash', (name, hash) => {
  const text = readFileSync(join(import.meta.dirname, 'floor', name));
  expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
});
