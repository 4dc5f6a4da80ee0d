import { expect, test } from 'vitest';
import { TOO_MANY_CHECKS } from '../../shared/texts.ts';
import { checkMailHtmlOnThread } from './html-thread-pool.ts';

test('while one e-mail of a distributor is being sanitized and ten are queued, its next e-mail is refused, and an e-mail of another distributor is accepted', async () => {
  const checks = Array.from({ length: 12 }, () => checkMailHtmlOnThread('<p>x</p>', { key: 'one' }));
  const other = checkMailHtmlOnThread('<p>y</p>', { key: 'other' });
  const outcomes = await Promise.allSettled(checks);
  expect(outcomes.map(({ status }) => status)).toEqual([...Array.from({ length: 11 }, () => 'fulfilled'), 'rejected']);
  expect(outcomes[11]).toMatchObject({ reason: { status: 429, message: TOO_MANY_CHECKS, retryAfter: 10 } });
  expect(await other).toEqual({ html: '<p>y</p>', text: 'y' });
});
