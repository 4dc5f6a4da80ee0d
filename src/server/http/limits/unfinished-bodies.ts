// Limits how many long bodies of signed-in people may be arriving or waiting to be parsed at once, because each occupies up to 4 MB of memory
// (docs/reliability.md, "abuse").
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasLongBody, tooManyAtOnce, type Admission } from '../admission-rules.ts';
import { createCounts } from '../../queues/counts.ts';
import { createLimiter, once, type JobOptions } from '../../queues/limiter.ts';
import { afterParsing, hasArrived } from '../timeouts.ts';

/** A thousand families on slow phones who all save long orders in the same minute have about 30 such bodies at once. */
const MOST = 128;
/** The staff, or the customers, of one tenant can have only this many of these bodies, so that neither of them alone delays other tenants. */
const MOST_OF_GROUP = 64;
/** While another body waits, a body that takes longer than this is cut off. A megabyte with 3 Mbit a second takes as long. */
const MS_TO_ARRIVE = 3000;
/** In each period of this length, at most one body of each full group is cut off. */
const CHECKED_EVERY_MS = 50;
/** A body that has waited for this long is refused. */
const MAX_WAIT = 20_000;

interface Body {
  readonly group: string;
  readonly since: number;
  readonly hasArrived: () => boolean;
  readonly cutOff: () => void;
}

/** Knows the bodies that have not been parsed, and cuts off those that arrive slowly while others wait. */
function createUnparsedBodies() {
  /** The oldest body comes first. */
  const bodies = new Set<Body>();
  const unparsed = createCounts();
  const waiting = createCounts();
  let timer: NodeJS.Timeout | undefined;
  const largestGroup = (): string =>
    [...bodies].reduce((largest, { group }) => (unparsed.of(group) > unparsed.of(largest) ? group : largest), '');
  const cutOffSlow = (): void => {
    for (const { group, since, hasArrived, cutOff } of bodies) {
      if (performance.now() - since < MS_TO_ARRIVE) return;
      if (hasArrived()) continue;
      const isGroupFull = waiting.of(group) > 0 && unparsed.of(group) >= MOST_OF_GROUP;
      if (isGroupFull || (bodies.size >= MOST && group === largestGroup())) cutOff();
    }
  };
  return {
    /** Cuts off slow bodies until the returned function is called. */
    wait(group: string): () => void {
      const stop = waiting.add(group);
      timer ??= setInterval(cutOffSlow, CHECKED_EVERY_MS).unref();
      return () => {
        stop();
        if (waiting.keys() > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    add(body: Body): () => void {
      const forget = unparsed.add(body.group);
      bodies.add(body);
      return () => {
        bodies.delete(body);
        forget();
      };
    },
  };
}

/**
 * Returns a function that resolves when the body of a signed-in person may arrive. The body keeps a permit until it is parsed, its
 * connection is closed, or the function that is added to `releases` is called. The tenants take turns, and in each the people who are least
 * busy come first.
 */
export function limitUnfinishedBodies() {
  const bodies = createUnparsedBodies();
  const permits = createLimiter({
    concurrency: MOST,
    concurrencyPerGroup: MOST_OF_GROUP,
    leastBusyFirst: true,
    maxQueued: 500,
    refusal: tooManyAtOnce,
    maxWait: MAX_WAIT,
    timeoutRefusal: tooManyAtOnce,
  });
  return async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    turn: JobOptions & Admission['turn'],
    releases: (() => void)[],
  ): Promise<void> => {
    if (!hasLongBody(request)) return;
    const end = await permits.acquire(turn).finally(bodies.wait(turn.group));
    const release = once(() => {
      forget();
      end();
    });
    const cutOff = (): void => {
      request.raw.destroy();
      // Releases the permit at once, so that no second body is cut off for the same request.
      release();
    };
    const forget = bodies.add({ group: turn.group, since: performance.now(), hasArrived: () => hasArrived(request), cutOff });
    releases.push(release);
    reply.raw.once('close', release);
    afterParsing(request, release);
    if (turn.signal?.aborted) release();
  };
}
