import { expect, test } from 'vitest';
import type { Query } from '../../shared/endpoint.ts';
import type { ListReply } from '../../shared/pages.ts';
import { fetchAllPages, rowsSoFar } from './fetch-all-pages.ts';

/** Returns these replies in turn, and records each request with the progress visible at that time. */
function server(...replies: readonly ListReply[]) {
  const asked: (readonly [Query, number | null])[] = [];
  const read = (query: Query): Promise<ListReply> => {
    asked.push([query, rowsSoFar.get('/api/list')]);
    return Promise.resolve(replies[asked.length - 1] ?? []);
  };
  return { asked, read };
}

test('requests a list of one page once and returns it unchanged', async () => {
  const { asked, read } = server([{ id: 1 }, { id: 2 }]);
  expect(await fetchAllPages('/api/list', read)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(asked).toEqual([[{ after: '', limit: '5000' }, null]]);
});

test('requests pages until one has no key, and reports the progress', async () => {
  const { asked, read } = server([{ id: 1 }, { id: 2, key: '2' }], [{ id: 3, key: '3' }], []);
  expect(await fetchAllPages('/api/list', read)).toEqual([{ id: 1 }, { id: 2, key: '2' }, { id: 3, key: '3' }]);
  expect(asked).toEqual([
    [{ after: '', limit: '5000' }, null],
    [{ after: '2', limit: '5000' }, 2],
    [{ after: '3', limit: '5000' }, 3],
  ]);
  expect(rowsSoFar.get('/api/list')).toBeNull();
});

test('joins several lists of one reply; the first list has the key', async () => {
  const { read } = server({ lines: [{ id: 1, key: 'a' }], weights: [7, 8] }, { lines: [{ id: 2 }], weights: [9] });
  expect(await fetchAllPages('/api/list', read)).toEqual({ lines: [{ id: 1, key: 'a' }, { id: 2 }], weights: [7, 8, 9] });
});

test('fails as a whole when one page fails, so that a partial list is never shown as complete', async () => {
  const read = ({ after }: Query): Promise<ListReply> =>
    after === '' ? Promise.resolve([{ id: 1, key: '1' }]) : Promise.reject(new Error('503: away'));
  await expect(fetchAllPages('/api/list', read)).rejects.toThrow('503: away');
  expect(rowsSoFar.get('/api/list')).toBeNull();
});

test('ignores the progress of an abandoned read', async () => {
  const givenUp = Promise.withResolvers<ListReply>();
  const next = Promise.withResolvers<ListReply>();
  const first = fetchAllPages('/api/list', ({ after }) => (after === '' ? Promise.resolve([{ id: 1, key: '1' }]) : givenUp.promise));
  await expect.poll(() => rowsSoFar.get('/api/list')).toBe(1);
  const second = fetchAllPages('/api/list', ({ after }) =>
    after === '' ? Promise.resolve([{ id: 1 }, { id: 2, key: '2' }]) : next.promise,
  );
  expect(rowsSoFar.get('/api/list')).toBeNull();
  await expect.poll(() => rowsSoFar.get('/api/list')).toBe(2);
  givenUp.reject(new Error('given up'));
  await expect(first).rejects.toThrow('given up');
  expect(rowsSoFar.get('/api/list')).toBe(2);
  next.resolve([]);
  await second;
  expect(rowsSoFar.get('/api/list')).toBeNull();
});
