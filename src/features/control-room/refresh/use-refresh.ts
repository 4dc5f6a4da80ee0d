import { useEffect, useEffectEvent, useRef, useState } from 'react';

const REFRESH_MS = 3000;
/** A request that takes longer is canceled and sent again, for example after the network has lost it. */
const MAX_WAIT_MS = 30_000;
/** Data of this age in milliseconds count as old, because at least two refreshes have failed since. */
const OLD_MS = 10_000;

interface Refreshed {
  readonly refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>;
  readonly isError: boolean;
  /** Milliseconds since 1970-01-01; 0 before the first reply. */
  readonly dataUpdatedAt: number;
}

/**
 * Reads the data again every three seconds. Returns whether the data are old, because the server replies with errors, slowly or not at all.
 */
export function useRefresh({ refetch, isError, dataUpdatedAt }: Refreshed): boolean {
  const [now, setNow] = useState(0);
  const startedAt = useRef<number | null>(null);
  const refresh = useEffectEvent(async (): Promise<void> => {
    const started = Date.now();
    setNow(started);
    const isRunning = startedAt.current !== null;
    // A hidden tab sends no requests.
    if (document.hidden || (isRunning && started - (startedAt.current ?? 0) < MAX_WAIT_MS)) return;
    startedAt.current = started;
    await refetch({ cancelRefetch: isRunning });
    if (startedAt.current === started) startedAt.current = null;
  });
  useEffect(() => {
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return isError || (dataUpdatedAt > 0 && now - dataUpdatedAt >= OLD_MS);
}
