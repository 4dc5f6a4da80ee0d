// This pipeline stage limits how many replies whose long lists are in memory a distributor may have open at once, so that clients that read
// slowly cannot fill the memory of the server (docs/reliability.md, "abuse").
import type { ServerResponse } from 'node:http';
import { MINUTE } from '../../../domain/durations.ts';
import { busy } from '../errors.ts';
import { hasLists } from '../json-stream.ts';
import { createLimiters, type LimiterOptions } from '../limiter.ts';
import type { AnyContext } from './route.ts';

const TOO_MANY_OPEN = 'Too many long lists are being read just now. Please try again in a moment.';
const OPEN_PER_PERSON = 2;

/** The limits of one distributor and its people. Nobody can occupy all replies alone. */
const LIMITS: LimiterOptions = {
  concurrency: 4,
  mayStart: (_user, _running, ofUser) => ofUser < OPEN_PER_PERSON,
  maxQueued: 100,
  maxWait: MINUTE,
  refusal: () => busy(TOO_MANY_OPEN),
  timeoutRefusal: () => busy(TOO_MANY_OPEN),
};

const tenants = createLimiters();

/**
 * Runs a call that reads its lists into memory. The call waits while too many such replies are open. A reply without a list that is sent in
 * batches is short, so it does not count any more after the call has ended; a longer reply counts until the client has read it.
 */
export async function withOpenReplyLimit(
  { viewer, signal }: AnyContext,
  raw: ServerResponse,
  call: () => Promise<unknown>,
): Promise<unknown> {
  const release = await tenants.acquire(String(viewer?.tenantId), LIMITS, { key: String(viewer?.userId), signal });
  raw.once('finish', release).once('close', release);
  if (signal.aborted) release();
  const result = await call();
  if (!hasLists(result)) release();
  return result;
}
