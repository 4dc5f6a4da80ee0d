import { expect, test } from 'vitest';
import { readAhead } from './id-chunks.ts';

test('reads the next chunk of ids while the previous chunk is sent', async () => {
  const told: string[] = [];
  const read = async (part: number) => {
    told.push(`reads ${part}`);
    return part * 10;
  };
  for await (const rows of readAhead([1, 0, 3], read)) told.push(`gives ${rows}`);
  expect(told).toEqual(['reads 1', 'reads 0', 'gives 10', 'reads 3', 'gives 0', 'gives 30']);
});

test('reads nothing when there are no chunks of ids', async () => {
  for await (const rows of readAhead<number, number>([], () => Promise.reject(new Error('read')))) expect(rows).toBeUndefined();
});

test('reports the failure of a chunk only after the previous chunks were sent', async () => {
  const given: number[] = [];
  const all = async () => {
    for await (const rows of readAhead([1, 2, 3], async (part) => (part === 2 ? Promise.reject(new Error('lost')) : part)))
      given.push(rows);
  };
  await expect(all()).rejects.toThrow('lost');
  expect(given).toEqual([1]);
});

test('stops after the current chunk when the consumer stops reading', async () => {
  const begun: number[] = [];
  for await (const rows of readAhead([1, 2, 3], async (part) => begun.push(part))) if (rows) break;
  expect(begun).toEqual([1, 2]);
});
