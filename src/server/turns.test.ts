import { expect, test } from 'vitest';
import { turns } from './turns.ts';

/** A work that ends when it is told to. */
function held(): { work: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('no more run at once than may', async () => {
  const inTurn = turns(2);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 9 }, () => inTurn(work)));
  expect([most, running]).toEqual([2, 0]);
});

test('a thousand works of one delay another by one only', async () => {
  const inTurn = turns(1);
  const first = held();
  const done: string[] = [];
  const all = [inTurn(first.work, 'flood')];
  for (let n = 0; n < 1000; n++) all.push(inTurn(async () => void done.push('flood'), 'flood'));
  all.push(inTurn(async () => void done.push('family'), 'family'));
  first.end();
  await Promise.all(all);
  expect(done.indexOf('family')).toBeLessThanOrEqual(1);
  expect(done).toHaveLength(1001);
});

test('a work that fails gives its turn on', async () => {
  const inTurn = turns(1);
  const failing = inTurn(async () => {
    throw new Error('no');
  });
  const next = inTurn(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('above what may wait a work is refused, and taken again once there is room', async () => {
  const inTurn = turns(1, { most: 2, refusal: () => new Error('full') });
  const first = held();
  const waiting = [inTurn(first.work, 'a'), inTurn(async () => undefined, 'a'), inTurn(async () => undefined, 'b')];
  await expect(inTurn(async () => undefined, 'c')).rejects.toThrow('full');
  first.end();
  await Promise.all(waiting);
  expect(await inTurn(async () => 'served', 'c')).toBe('served');
});

test('who has as many waiting as one may is refused, and others are not', async () => {
  const inTurn = turns(1, { most: 9, mostOfKey: 1, refusal: () => new Error('full') });
  const first = held();
  const waiting = [inTurn(first.work, 'a'), inTurn(async () => undefined, 'a'), inTurn(async () => undefined, 'b')];
  await expect(inTurn(async () => undefined, 'a')).rejects.toThrow('full');
  first.end();
  await Promise.all(waiting);
  expect(await inTurn(async () => 'served', 'a')).toBe('served');
});
