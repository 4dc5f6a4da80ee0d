import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { use, useCallback, useMemo } from 'react';
import { pathOf, type Endpoint, type ParamsOf, type Query, type ReplyOf } from '../shared/endpoint.ts';
import type { CallArgs } from './fetch.ts';
import { CallContext } from './use-calls.ts';

type Row<E> = ReplyOf<E> extends (infer Item)[] ? Item : never;

export interface Parts<Item> {
  /** Of all parts that were read; undefined before the first. */
  rows: readonly Item[] | undefined;
  error: Error | null;
  refetch: () => void;
  hasMore: boolean;
  isReading: boolean;
  readMore: () => void;
  /** Every row there is, the shown ones too: for a file. */
  readAll: () => Promise<Item[]>;
}

const LARGEST = 1000;
const SHOWN = 100;

/** A long list, read part by part: `after` is the key of the last row that is there. */
export function useParts<E extends Endpoint>(endpoint: E, params: ParamsOf<E>, query: Query): Parts<Row<E>> {
  const send = use(CallContext);
  const address = pathOf(endpoint, params, query);
  const partAfter = useCallback(
    async (after: string, limit: number, signal?: AbortSignal) => {
      const asked = { params, query: { ...query, after, limit: String(limit) }, ...(signal ? { signal } : {}) };
      return (await send(endpoint, asked as unknown as CallArgs<E>)) as (Row<E> & { key: string })[];
    },
    // The address says which parameters and which query.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- they are new objects at every drawing
    [send, endpoint, address],
  );
  const list = useInfiniteQuery({
    queryKey: [address, 'parts'],
    queryFn: ({ pageParam, signal }) => partAfter(pageParam, SHOWN, signal),
    initialPageParam: '',
    getNextPageParam: (part) => (part.length < SHOWN ? undefined : part.at(-1)?.key),
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  const rows = useMemo(() => data?.pages.flat(), [data]);
  const readAll = async (): Promise<Row<E>[]> => {
    const all = await partAfter('', LARGEST);
    for (let part = all; part.length === LARGEST; all.push(...part)) part = await partAfter(part.at(-1)?.key ?? '', LARGEST);
    return all;
  };
  return {
    rows,
    error: list.error,
    refetch: () => void list.refetch(),
    hasMore: list.hasNextPage,
    isReading: list.isFetching,
    readMore: () => void list.fetchNextPage(),
    readAll,
  };
}
