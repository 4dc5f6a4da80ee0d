// This pipeline stage runs some calls of one person one after the other, because they lock rows for which other people wait. Such a call
// waits before its transaction begins, so it occupies no database connection while it waits.
import { tooManyAtOnce } from '../admission-rules.ts';
import { createLimiter } from '../limiter.ts';
import type { Route, RouteHandler } from './route.ts';

const personQueue = createLimiter({
  concurrency: Infinity,
  mayStart: (_person, _running, ofPerson) => ofPerson === 0,
  maxQueuedPerKey: 20,
  // The maximum wait in milliseconds, the same as for a database connection.
  maxWait: 10_000,
  refusal: tooManyAtOnce,
});

/** Queues the call if the route has the option `isOneAtATime`. */
export const oneAtATime = ({ isOneAtATime }: Route, handle: RouteHandler): RouteHandler =>
  isOneAtATime
    ? (context, request) => personQueue(() => handle(context, request), { key: String(context.viewer?.userId), signal: context.signal })
    : handle;
