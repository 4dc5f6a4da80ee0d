import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RELIABILITY_TESTS } from './reliability-tests.ts';
import { ROOT } from '../../src/server/root.ts';

const NAMED = RELIABILITY_TESTS.flatMap(({ row, run }) =>
  ('tests' in run ? (run.tests as { file: string; title: string }[]) : []).map((named) => ({ row, ...named })),
);

test.each(NAMED)('npm run prove -- $row finds a test whose title contains "$title" in $file', ({ file, title }) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
});
