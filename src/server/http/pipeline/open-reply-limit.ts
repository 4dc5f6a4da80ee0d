// Some replies keep their long lists in memory until the client has read them. This pipeline stage limits how many such replies a
// distributor may have open at once. Otherwise clients that read slowly could fill the memory of the server (docs/reliability.md, "abuse").
import type { ServerResponse } from 'node:http';
import { MINUTE, SECOND } from '../../../domain/durations.ts';
import { peopleGroupOf } from '../../auth/recent-sessions.ts';
import { createCounts } from '../../queues/counts.ts';
import { busy } from '../../errors.ts';
import { hasLists, isBatches } from '../json-stream.ts';
import { createLimiters, once, type LimiterOptions } from '../../queues/limiter.ts';
import type { AnyContext } from './route.ts';

const TOO_MANY_OPEN = 'Too many long lists are being read just now. Please try again in a moment.';
const OPEN_PER_PERSON = 2;

/** The limits of the staff of one distributor together, and of its customers together. A person can occupy only OPEN_PER_PERSON of the replies. */
const LIMITS: LimiterOptions = {
  concurrency: 4,
  concurrencyPerGroup: OPEN_PER_PERSON,
  maxQueued: 100,
  maxWait: MINUTE,
  refusal: () => busy(TOO_MANY_OPEN),
  timeoutRefusal: () => busy(TOO_MANY_OPEN),
};

const tenants = createLimiters();

/** A reply is cut off if it has waited for its client for this many seconds and another call waits for its place. */
const SECONDS_TO_READ = 20;
/** Count the open replies by tenant and group of people, and the waiting calls also by person. */
const open = createCounts();
const waiting = createCounts();

/**
 * Waits while the viewer or the viewer's distributor has too many open replies. From then on, the reply of the current call counts as open
 * until the returned function is called or the client has read the reply. A client that reads slowly may not finish a reply for which
 * another call waits. Open replies to customers do not delay staff.
 */
export async function openReply({ viewer, signal }: Pick<AnyContext, 'viewer' | 'signal'>, raw: ServerResponse): Promise<() => void> {
  const group = viewer ? peopleGroupOf(viewer) : 'signed-out people';
  const person = `user ${viewer?.userId}`;
  const stopsWaiting = [waiting.add(group), waiting.add(person)];
  const free = await tenants.acquire(group, LIMITS, { key: person, signal }).finally(() => stopsWaiting.forEach((stop) => stop()));
  const close = open.add(group);
  let seconds = 0;
  const look = setInterval(() => {
    // A reply that waits for its database reads does not wait for its client.
    if (raw.writableNeedDrain || raw.writableEnded) seconds++;
    const isAwaited = waiting.of(person) > 0 || (waiting.of(group) > 0 && open.of(group) >= LIMITS.concurrency);
    if (seconds < SECONDS_TO_READ || !isAwaited) return;
    raw.destroy();
    // Frees the place at once, so that no second reply is cut off for the same call.
    release();
  }, SECOND).unref();
  const release = once(() => {
    clearInterval(look);
    close();
    free();
  });
  raw.once('finish', release);
  signal.addEventListener('abort', release);
  if (signal.aborted) release();
  return release;
}

/**
 * Runs a call whose reply keeps its lists in memory. The call first waits while too many such replies are open. A reply with a list that is
 * sent in batches counts as open until the client has read it. Any other reply is short and counts only until the call ends.
 */
export async function withOpenReplyLimit(context: AnyContext, raw: ServerResponse, call: () => Promise<unknown>): Promise<unknown> {
  const release = await openReply(context, raw);
  const result = await call();
  if (!hasLists(result) && !isBatches(result)) release();
  return result;
}
