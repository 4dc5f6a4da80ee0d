import { expect, test } from 'vitest';
import { nameDetails, nameDetailsInSteps } from './product-names.ts';

const detailsOf = (name: string, descriptions: readonly (string | null)[]): (string | undefined)[] => {
  const details = nameDetails([
    { id: 100, name: 'Honey', description: 'Bee Good' },
    ...descriptions.map((description, id) => ({ id, name, description })),
  ]);
  expect(details.has(100)).toBe(false);
  return descriptions.map((_, id) => details.get(id));
};

test.each([
  ['a single name needs nothing', ['Kedem, 64 oz'], [undefined]],
  ['the brand at the beginning', ['Kedem, dry red, 750 ml', 'Barkan, dry red, 750 ml'], ['Kedem', 'Barkan']],
  ['what all have is left out', ['Kedem, grape, 64 oz', 'Kedem, grape, 22 oz'], ['64 oz', '22 oz']],
  ['as many phrases as it takes', ['Kedem, red, 1 l', 'Kedem, white, 1 l', 'Barkan, red, 1 l'], ['Kedem, red', 'Kedem, white', 'Barkan']],
  ['a phrase is never torn', ['Golden Flow whole milk', 'Golden Crown whole milk'], ['Golden Flow whole milk', 'Golden Crown whole milk']],
  ['a decimal point is no end', ['Kedem, 1.5 l', 'Kedem, 0.75 l'], ['1.5 l', '0.75 l']],
  ['sentences and dashes', ['Kedem. Dry - 1 l', 'Barkan. Dry - 1 l'], ['Kedem', 'Barkan']],
  ['one without a description', ['Kedem', null], ['Kedem', undefined]],
  ['two that cannot be told apart', ['Kedem, red', 'Kedem, red', 'Barkan, red'], ['Kedem', 'Kedem', 'Barkan']],
  ['the same description', ['Kedem', 'Kedem'], [undefined, undefined]],
])('nameDetails distinguishes products of the same name by parts of their descriptions: %s', (_, descriptions, expected) => {
  expect(detailsOf('Wine', descriptions)).toEqual(expected);
});

test('nameDetails treats names that differ only in case or surrounding spaces as equal', () => {
  const named = [
    { id: 1, name: 'Wine', description: 'Kedem' },
    { id: 2, name: ' wine', description: 'Barkan' },
  ];
  expect([...nameDetails(named)]).toEqual([
    [1, 'Kedem'],
    [2, 'Barkan'],
  ]);
});

test('nameDetails shortens a long description to the part that differs from the others', () => {
  const long = 'A wine of the hills of Galilee that was pressed by hand and kept in barrels of oak for';
  expect(detailsOf('Wine', [`${long} two years`, `${long} three years`])).toEqual(['…two years', '…three years']);
  expect(detailsOf('Wine', [`Kedem ${long}`, `Barkan ${long}`])[0]).toBe('Kedem A wine of the hills of Galilee that was pressed by…');
});

test('nameDetails distinguishes five thousand products of the same name in less than a second of CPU time', () => {
  const many = Array.from({ length: 5000 }, (_, id) => ({ id, name: 'Wine', description: `Kedem, kind ${id}, 1 l` }));
  const before = process.cpuUsage();
  expect(nameDetails(many).get(4999)).toBe('kind 4999');
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

test('nameDetails reads only the beginning of long descriptions, so that thousands of descriptions do not block the server', () => {
  const phrases = Array.from({ length: 500 }, (_, index) => `p${index}`).join(', ');
  const many = Array.from({ length: 3000 }, (_, id) => ({ id, name: 'Wine', description: `Kedem, kind ${id}, ${phrases}` }));
  const details = nameDetails(many);
  expect([details.size, details.get(0), details.get(2999)]).toEqual([3000, 'kind 0', 'kind 2999']);
  const late = [0, 1].map((id) => ({ id, name: 'Wine', description: `${phrases}, kind ${id}` }));
  expect(nameDetails(late).size).toBe(0);
});

test('nameDetailsInSteps returns the same result as nameDetails, in many short steps, so that thousands of products with the same name do not block the event loop (reliability abuse)', () => {
  // Descriptions that consist of many short phrases take the longest to compare.
  const phrasesOf = (id: number) =>
    Array.from({ length: 60 }, (_, index) => String.fromCharCode(97 + ((id >> (index % 13)) & 1))).join(',');
  const many = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'Wine', description: phrasesOf(id) }));
  const steps = nameDetailsInSteps(many);
  let [count, longest] = [0, 0];
  for (;;) {
    const before = process.threadCpuUsage().user;
    const { done, value } = steps.next();
    longest = Math.max(longest, process.threadCpuUsage().user - before);
    count += 1;
    if (!done) continue;
    expect(value).toEqual(nameDetails(many));
    break;
  }
  expect(count).toBeGreaterThan(100);
  expect(longest).toBeLessThan(50_000);
});

test('nameDetails compares at most twelve phrases of a description (reliability abuse)', () => {
  const after = (phrases: number) =>
    [0, 1].map((id) => `${Array.from({ length: phrases }, (_, index) => `p${index}`).join(',')},kind ${id}`);
  expect(detailsOf('Wine', after(11))).toEqual(['kind 0', 'kind 1']);
  expect(detailsOf('Wine', after(12))).toEqual([undefined, undefined]);
});

test('nameDetails cuts no emoji in half, wherever it shortens a description, because PostgreSQL refuses half an emoji in JSON (reliability abuse)', () => {
  const wines = (before: string) => [`${before}${'🍷'.repeat(100)}`, `${before}${'🍇'.repeat(100)}`];
  expect(detailsOf('Wine', wines(''))).toEqual([`…${'🍷'.repeat(30)}…`, `…${'🍇'.repeat(30)}…`]);
  expect(detailsOf('Wine', wines('a'))).toEqual([`…a${'🍷'.repeat(29)}…`, `…a${'🍇'.repeat(29)}…`]);
  // The 200th character, up to which descriptions are compared, is the first half of an emoji.
  const long = (letter: string) => `${'a '.repeat(98)}${letter}  🍷`;
  expect(detailsOf('Wine', [long('b'), long('c')])).toEqual(['…b', '…c']);
});
