import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { pathOf, type Endpoint, type ParamsOf, type Query, type ReplyOf } from '../../shared/endpoint.ts';
import { readArgs } from './fetch.ts';
import { CallContext } from './use-calls.ts';

type Row<E> = ReplyOf<E> extends (infer Item)[] ? Item : never;

export interface InfiniteRead<Item> {
  /** The rows of all loaded pages; undefined until the first page is loaded. */
  rows: readonly Item[] | undefined;
  error: Error | null;
  refetch: () => void;
  hasMore: boolean;
  isReading: boolean;
  readMore: () => void;
  readAll: (query: Query) => Promise<Item[]>;
}

const LARGEST = 1000;
const SHOWN = 100;

/** Reads a long list page by page; `after` is the key of the last loaded row. */
export function useInfiniteRead<E extends Endpoint>(endpoint: E, params: ParamsOf<E>, query: Query): InfiniteRead<Row<E>> {
  const send = use(CallContext);
  const address = pathOf(endpoint, params, query);
  const fetchPage = async (wanted: Query, signal?: AbortSignal) => {
    return (await send(endpoint, readArgs<E>({ params, query: wanted, signal }))) as (Row<E> & { key: string })[];
  };
  const list = useInfiniteQuery({
    queryKey: [address, 'parts'],
    queryFn: ({ pageParam: after, signal }) => fetchPage({ ...query, after, limit: String(SHOWN) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < SHOWN ? undefined : page.at(-1)?.key),
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  const rows = useMemo(() => data?.pages.flat(), [data]);
  const readAll = async (wanted: Query): Promise<Row<E>[]> => {
    const pageAfter = (after: string) => fetchPage({ ...wanted, after, limit: String(LARGEST) });
    const all = await pageAfter('');
    for (let page = all; page.length === LARGEST; all.push(...page)) page = await pageAfter(page.at(-1)?.key ?? '');
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
