import { keepPreviousData, useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { use } from 'react';
import { pathOf, type Endpoint, type ParamsOf, type Query, type ReplyOf } from '../../shared/endpoint.ts';
import { readArgs } from './fetch.ts';
import { CallContext } from './use-calls.ts';

type Row<E> = ReplyOf<E> extends (infer Item)[] ? Item : never;

/** Its `data` are the rows of all loaded pages. */
export type InfiniteRead<Item> = UseInfiniteQueryResult<readonly Item[]>;

const LARGEST = 1000;
const SHOWN = 100;

const rowsOf = <Item>({ pages }: InfiniteData<readonly Item[]>): readonly Item[] => pages.flat();

/** Reads a long list page by page; `after` is the key of the last loaded row. `readAll` reads the whole list for a file. */
export function useInfiniteRead<E extends Endpoint>(
  endpoint: E,
  params: ParamsOf<E>,
  query: Query,
): { list: InfiniteRead<Row<E>>; readAll: (query: Query) => Promise<Row<E>[]> } {
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
    select: rowsOf<Row<E>>,
  });
  const readAll = async (wanted: Query): Promise<Row<E>[]> => {
    const pageAfter = (after: string) => fetchPage({ ...wanted, after, limit: String(LARGEST) });
    const all = await pageAfter('');
    for (let page = all; page.length === LARGEST; all.push(...page)) page = await pageAfter(page.at(-1)?.key ?? '');
    return all;
  };
  return { list, readAll };
}
