import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverTime } from '../../../client/api/server-clock.ts';
import type { Clock } from '../../../domain/distribution.ts';
import { DAY, SECOND } from '../../../domain/durations.ts';

/**
 * Milliseconds before the next read when the closing time has passed but the server still reports ordering as open. The database's clock
 * may be behind.
 */
const RETRY = 5 * SECOND;

/** The paths of the reads that contain `orderingOpen`, which are repeated when ordering opens or closes. */
const DISTRIBUTIONS = /^\/api\/distributions(\/\d+)?$/;

type Timed = Clock & { readonly orderingOpen: boolean };

/**
 * Returns the next time at which the screen must change: when ordering of a distribution opens, or when it closes and the server still
 * reports it as open. Null if there is none.
 */
function nextUpdate(distributions: readonly Timed[], now: number): number | null {
  const opening = distributions.map(({ opensAt }) => (opensAt === null ? 0 : Date.parse(opensAt))).filter((time) => time > now);
  const closing = distributions
    .filter(({ orderingOpen }) => orderingOpen)
    .map(({ closesAt }) => (closesAt === null ? Infinity : Math.max(Date.parse(closesAt) + SECOND, now + RETRY)));
  const next = Math.min(...opening, ...closing);
  return Number.isFinite(next) ? next : null;
}

/**
 * Returns the server's time as React state. At each opening or closing of ordering, the time changes and the distributions are read again.
 */
export function useOrderingTime(distributions: readonly Timed[]): string {
  const queries = useQueryClient();
  const [now, setNow] = useState(serverTime);
  const next = nextUpdate(distributions, Date.parse(now));
  useEffect(() => {
    if (next === null) return;
    // The longest timeout is one day, because a browser fires a timeout of more than 24.8 days at once.
    const rest = Math.min(Math.max(next - Date.parse(serverTime()), SECOND), DAY);
    const timer = setTimeout(() => {
      setNow(serverTime());
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => DISTRIBUTIONS.test(String(path)) });
    }, rest);
    return () => clearTimeout(timer);
  }, [next, queries]);
  return now;
}
