import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { pathOf } from '../../shared/endpoint.ts';
import type { BodyInputOf, Endpoint, ParamsOf, Query, ReplyOf } from '../../shared/endpoint.ts';
import { call, CallError, isResultKnown, readArgs } from './fetch.ts';
import type { Call, CallArgs, Payload } from './fetch.ts';
import { deviceOwner } from '../storage/device-owner.ts';
import { randomKey } from './idempotency-key.ts';
import { fetchAllPages, type ReadPage } from './fetch-all-pages.ts';
import { dismissErrorOf, toast } from '../toasts/toast.ts';
import type { ToastContent } from '../toasts/toast-queue.ts';
import { PLEASE_SIGN_IN } from '../../shared/texts.ts';
import { ERROR, SIGN_IN_BESIDE } from '../texts.ts';

/** Creates a query client whose cached data is always stale. Reads happen only on mount, route change and save (spec §7). */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    },
  });
}

export const queryClient: QueryClient = makeQueryClient();

/** The function that sends all reads and saves; tests pass their own. */
export const CallContext = createContext<Call>(call);

/** The pause in milliseconds between two reads of live data. */
const LIVE_INTERVAL = 2000;

export interface ReadOptions<E = unknown> {
  enabled?: boolean;
  /** The request body of a read whose input does not fit in a URL. */
  body?: BodyInputOf<E>;
  /**
   * Whether the read is repeated every two seconds while the page is visible, and when the page becomes visible again. Receives the last
   * reply, so that only a reply with changing numbers is read again.
   */
  isLive?: (reply: ReplyOf<E>) => boolean;
  /**
   * The status for which the read returns null instead of an error. The request for the current user uses 401 (spec §4). On a device with
   * data of a counter, the reply of a proxy stays an error, because the end of the session removes this data (contract §14). Other devices
   * accept it, because a proxy may have removed the header by which the client recognizes the server.
   */
  nullOn?: number;
}

type ReadArgs<E, O> = keyof ParamsOf<E> extends never ? [params?: undefined, options?: O] : [params: ParamsOf<E>, options?: O];
type Answer<E, O> = O extends { nullOn: number } ? ReplyOf<E> | null : ReplyOf<E>;

/**
 * Reads an endpoint with TanStack Query. The query key consists of the URL path and the body, if there is one. A long list is loaded page
 * by page and returned complete.
 */
export function useRead<E extends Endpoint, O extends ReadOptions<E> = Record<never, never>>(
  endpoint: E,
  ...[params, options]: ReadArgs<E, O>
): UseQueryResult<Answer<E, O>> {
  const send = use(CallContext);
  const { enabled = true, nullOn, body, isLive }: ReadOptions<E> = options ?? {};
  const isStillLive = ({ state: { data } }: { state: { data: unknown } }): boolean =>
    isLive !== undefined && data !== undefined && data !== null && isLive(data as ReplyOf<E>);
  return useQuery<Answer<E, O>>({
    queryKey: body === undefined ? [pathOf(endpoint, params)] : [pathOf(endpoint, params), body],
    enabled,
    refetchInterval: (query) => isStillLive(query) && LIVE_INTERVAL,
    refetchOnWindowFocus: isStillLive,
    queryFn: async ({ signal }) => {
      try {
        const read = (query: Query) => send(endpoint, readArgs<E>({ params, query, body, signal }));
        return (await (endpoint.isLong ? fetchAllPages(read as ReadPage) : read({}))) as Answer<E, O>;
      } catch (error) {
        if (error instanceof CallError && error.status === nullOn && (error.isFromServer || deviceOwner() === null))
          return null as Answer<E, O>;
        throw error;
      }
    },
  });
}

/**
 * Whether all reads have succeeded since the component was mounted. A form takes its initial values once, and these must not come from the
 * cache of an earlier visit. The result stays true when a later read fails, so that the form stays.
 */
export function useFresh(reads: readonly { isFetchedAfterMount: boolean; isSuccess: boolean }[]): boolean {
  const [wasFresh, setWasFresh] = useState(false);
  const isFresh = wasFresh || reads.every(({ isFetchedAfterMount, isSuccess }) => isFetchedAfterMount && isSuccess);
  if (isFresh && !wasFresh) setWasFresh(true);
  return isFresh;
}

export type Saved<E> = { ok: true; reply: ReplyOf<E> } | { ok: false; error: Error };
type SaveArgs<E> = Record<never, never> extends Payload<E> ? [payload?: Payload<E>] : [payload: Payload<E>];

export interface SaveOptions<E> {
  /** Called after a successful save, also if the user has left the screen in the meantime. It must not navigate; `leave` does. */
  onSaved?: (reply: ReplyOf<E>, payload: Payload<E>) => void;
  /**
   * Navigates to the next screen after a successful save. Not called if the user has left the screen in the meantime, because the
   * navigation would then take the user out of another screen.
   */
  leave?: (reply: ReplyOf<E>) => void;
  /** Called on failure instead of showing the error toast. */
  onError?: (error: Error, payload: Payload<E>) => void;
  errorTitle?: string;
  /**
   * Whether a save reloads the reads on the screen. A loop of saves passes `false` and calls `refreshReads` once at the end. 'always' also
   * refreshes after a failure, to show the current state.
   */
  refresh?: boolean | 'always';
  /**
   * The value that the user saw when deciding to save, such as a balance. A retry after a failed save normally repeats the same save. If
   * this value has changed in between, saving the same body again is a new save.
   */
  basis?: string | number;
}

/** Options of each save of an import. No save refreshes reads or shows its error: the import does both once, after its last save. */
export const IN_A_LOOP = { refresh: false, onError: () => {} };

/**
 * Returns a function that sends a save and never throws. On failure it shows the error toast of spec §8; on success it refreshes every
 * read.
 */
export function useSave<E extends Endpoint>(
  endpoint: E,
  options: SaveOptions<E> = {},
): { save: (...payload: SaveArgs<E>) => Promise<Saved<E>>; isSaving: boolean } {
  const send = use(CallContext);
  const client = useQueryClient();
  const [pending, setPending] = useState(0);
  const { basis } = options;
  // The idempotency keys of saves whose result is unknown. A retry of the same save reuses its key until the result is known (contract
  // §2).
  const [retries, setRetries] = useState(() => ({ basis, keys: new Map<string, string>() }));
  if (retries.basis !== basis) setRetries({ basis, keys: new Map() });
  const { keys } = retries;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const save = useCallback(
    async (...[given]: SaveArgs<E>): Promise<Saved<E>> => {
      const payload = given ?? ({} as Payload<E>);
      const actionKey = actionKeyOf(endpoint, payload.params);
      const identity = JSON.stringify(payload);
      const idempotencyKey = endpoint.idempotent === true ? (keys.get(identity) ?? randomKey()) : undefined;
      if (idempotencyKey !== undefined) keys.set(identity, idempotencyKey);
      setPending((n) => n + 1);
      try {
        const reply = await send(endpoint, { ...payload, idempotencyKey } as CallArgs<E>);
        keys.delete(identity);
        dismissErrorOf(actionKey);
        const { onSaved, leave, refresh } = latest.current;
        onSaved?.(reply, payload);
        if (isMounted.current) leave?.(reply);
        // If the user has already left, the screen that is now visible may show data from before the save.
        const isLeftBefore = leave !== undefined && !isMounted.current;
        if (refresh !== false || isLeftBefore) void refreshReads(client);
        return { ok: true, reply };
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        // If the server may have executed this attempt, or an earlier one, the idempotency key stays stored for the retry.
        if (isResultKnown(error)) keys.delete(identity);
        const { onError, errorTitle = ERROR, refresh } = latest.current;
        if (refresh === 'always') void refreshReads(client);
        if (onError) onError(error, payload);
        else toast({ title: errorTitle, description: error.message, variant: 'destructive', action: wayOut(error), actionKey });
        return { ok: false, error };
      } finally {
        setPending((n) => n - 1);
      }
    },
    [send, client, endpoint, keys],
  );
  return { save, isSaving: pending > 0 };
}

/**
 * Returns a string that identifies an action in toasts: the method and the URL path. Payments of two orders, for example, are different
 * actions.
 */
export const actionKeyOf = (endpoint: Endpoint, params?: Readonly<Record<string, string | number>>): string =>
  `${endpoint.method} ${pathOf(endpoint, params)}`;

/**
 * Returns the link for the error toast of a save that failed because the session has ended. The link opens the sign-in page in another tab,
 * so that the unsaved typing stays in this tab. After signing in, the user returns to this tab and saves again.
 */
function wayOut(error: Error): ToastContent['action'] {
  if (!(error instanceof CallError) || error.status !== 401 || error.text !== PLEASE_SIGN_IN) return undefined;
  return { label: SIGN_IN_BESIDE, onClick: () => void window.open('/auth', '_blank', 'noopener') };
}

/** Reloads every read on the screen; other reads are marked stale. */
export async function refreshReads(client: QueryClient = queryClient): Promise<void> {
  await client.invalidateQueries();
}

/** Refreshes all cached server data on every route change (spec §2). The component above the routes calls this hook once. */
export function useRefreshOnRouteChange(): void {
  const [path] = useLocation();
  const client = useQueryClient();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // The reads of the new screen have already started. Without `cancelRefetch: false` they would be canceled and sent again.
    void client.invalidateQueries({}, { cancelRefetch: false });
  }, [path, client]);
}
