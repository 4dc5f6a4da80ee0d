import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverTime } from '../../../client/api/server-clock.ts';
import type { Clock } from '../../../domain/distribution.ts';

const SECOND = 1000;
/** The longest timer in milliseconds, one day, because a browser fires a timer of more than 24.8 days at once. */
const LONGEST_TIMER = 86_400_000;
/** Waits a little longer, because the database's clock may be behind. */
const RETRY = 5 * SECOND;

/** The paths of the reads that report whether ordering is open. */
const DISTRIBUTIONS = /^\/api\/distributions(\/\d+)?$/;

type Timed = Clock & { readonly orderingOpen: boolean };

/**
 * Returns the next time at which the screen changes: when ordering opens, or when ordering closes and the server has not reported the
 * closing yet.
 */
function nextUpdate(distributions: readonly Timed[], now: number): number | null {
  const opening = distributions.map(({ opensAt }) => (opensAt === null ? 0 : Date.parse(opensAt))).filter((time) => time > now);
  const closing = distributions
    .filter(({ orderingOpen }) => orderingOpen)
    .map(({ closesAt }) => (closesAt === null ? Infinity : Math.max(Date.parse(closesAt) + SECOND, now + RETRY)));
  const next = Math.min(...opening, ...closing);
  return Number.isFinite(next) ? next : null;
}

/** The server's time as React state. It changes when ordering of a distribution opens or closes; the distributions are then read again. */
export function useOrderingTime(distributions: readonly Timed[]): string {
  const queries = useQueryClient();
  const [now, setNow] = useState(serverTime);
  const next = nextUpdate(distributions, Date.parse(now));
  useEffect(() => {
    if (next === null) return;
    const rest = Math.min(Math.max(next - Date.parse(serverTime()), SECOND), LONGEST_TIMER);
    const timer = setTimeout(() => {
      setNow(serverTime());
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => DISTRIBUTIONS.test(String(path)) });
    }, rest);
    return () => clearTimeout(timer);
  }, [next, queries]);
  return now;
}
