import { expect, test } from 'vitest';
import type { Query } from '../../shared/endpoint.ts';
import type { ListReply } from '../../shared/pages.ts';
import { fetchAllPages } from './fetch-all-pages.ts';

/** Simulates a server that sends the given responses one after the other, and records each request. */
function server(...replies: readonly ListReply[]) {
  const asked: Query[] = [];
  const read = (query: Query): Promise<ListReply> => {
    asked.push(query);
    return Promise.resolve(replies[asked.length - 1] ?? []);
  };
  return { asked, read };
}

test('fetchAllPages requests a list that has only one page once, and returns the list unchanged', async () => {
  const { asked, read } = server([{ id: 1 }, { id: 2 }]);
  expect(await fetchAllPages(read)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(asked).toEqual([{ after: '', limit: '5000' }]);
});

test('fetchAllPages requests page after page until a page has no key for a next page, and joins the pages', async () => {
  const { asked, read } = server([{ id: 1 }, { id: 2, key: '2' }], [{ id: 3, key: '3' }], []);
  expect(await fetchAllPages(read)).toEqual([{ id: 1 }, { id: 2, key: '2' }, { id: 3, key: '3' }]);
  expect(asked).toEqual([
    { after: '', limit: '5000' },
    { after: '2', limit: '5000' },
    { after: '3', limit: '5000' },
  ]);
});

test('fetchAllPages joins each list across all pages when a reply has several lists; only the first list has the key of the next page', async () => {
  const { read } = server({ lines: [{ id: 1, key: 'a' }], weights: [7, 8] }, { lines: [{ id: 2 }], weights: [9] });
  expect(await fetchAllPages(read)).toEqual({ lines: [{ id: 1, key: 'a' }, { id: 2 }], weights: [7, 8, 9] });
});

test('fetchAllPages fails when the request for any page fails, so that a partial list is never shown as complete', async () => {
  const read = ({ after }: Query): Promise<ListReply> =>
    after === '' ? Promise.resolve([{ id: 1, key: '1' }]) : Promise.reject(new Error('503: away'));
  await expect(fetchAllPages(read)).rejects.toThrow('503: away');
});
