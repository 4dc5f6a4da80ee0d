// Several products may have the same name and differ only in the description, for example by brand. This module finds the part of the
// description that distinguishes these products (our choice; not specified).

export interface NamedProduct {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** The number of characters that fit beside a name in tables and prints. */
const MOST = 60;

/** The maximum number of characters of a description that are compared. This limit and the next one keep the computing time short. */
export const COMPARED_DESCRIPTION_LENGTH = 200;
/** The maximum number of phrases of a description that are compared. */
const COMPARED_PHRASES = 12;

/**
 * A computation that yields between steps of about a millisecond. The caller can do other work between two steps, so that thousands of
 * products do not block the event loop.
 */
type Steps<Result> = Generator<undefined, Result, undefined>;
/** The number of descriptions that one step processes. */
const TEXTS_PER_STEP = 250;

function* mapInSteps<Item, Result>(items: readonly Item[], convert: (item: Item, index: number) => Result): Steps<Result[]> {
  const converted: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % TEXTS_PER_STEP === 0) yield;
    converted.push(convert(item, index));
  }
  return converted;
}

/** Returns the first `most` characters, without a half emoji at the end: PostgreSQL refuses JSON that contains half of an emoji. */
const startOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

const phrasesOf = ({ description }: NamedProduct): string[] =>
  startOf(description ?? '', COMPARED_DESCRIPTION_LENGTH)
    .split(/[,;|\n]|\.\s|\s[-–—]\s/, COMPARED_PHRASES)
    .map((phrase) => phrase.trim().replace(/\.$/, ''))
    .filter((phrase) => phrase !== '');

/** Maps each phrase to the number of products whose descriptions contain it. */
function* countsOf(all: readonly (readonly string[])[]): Steps<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  yield* mapInSteps(all, (phrases) => {
    for (const phrase of new Set(phrases)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  });
  return counts;
}

/**
 * Returns, for each sequence of parts, the smallest number of leading parts that distinguishes it from as many other sequences as possible.
 * The number is at least 1. Each part is visited at most once, so that long lists stay fast.
 */
function* fewestParts(sequences: readonly (readonly string[])[]): Steps<number[]> {
  const fewest = sequences.map(() => 1);
  let groups = [[...sequences.keys()]];
  for (let depth = 0; groups.length > 0; depth += 1) {
    yield;
    groups = groups.flatMap((group) => {
      const byPart = Map.groupBy(group, (index) => sequences[index]?.[depth]);
      if (byPart.size > 1) for (const index of group) fewest[index] = depth + 1;
      byPart.delete(undefined);
      return [...byPart.values()].filter((alike) => alike.length > 1);
    });
  }
  return fewest;
}

const cut = (text: string): string => (text.length <= MOST ? text : `${startOf(text, MOST).replace(/\s+\S*$/, '')}…`);

/**
 * Shortens long descriptions. An excerpt normally begins at the start of the description. If the first word that differs from the other
 * descriptions would be cut off, the excerpt begins with that word.
 */
function* excerpts(texts: readonly string[]): Steps<string[]> {
  const all = yield* mapInSteps(texts, (text) => text.split(' '));
  const fewest = yield* fewestParts(all);
  return yield* mapInSteps(all, (words, index) => {
    const count = fewest[index] ?? 1;
    const isWithinCut = words.slice(0, count).join(' ').length <= MOST;
    return isWithinCut || count > words.length ? cut(words.join(' ')) : `…${cut(words.slice(count - 1).join(' '))}`;
  });
}

/**
 * Returns for each product the shortest sequence of phrases in its description that distinguishes the product from others with the same
 * name. Phrases that all of these products share are omitted.
 */
function* detailsOf(products: readonly NamedProduct[]): Steps<string[]> {
  const all = yield* mapInSteps(products, phrasesOf);
  const shared = yield* countsOf(all);
  const own = yield* mapInSteps(all, (phrases) => phrases.filter((phrase) => shared.get(phrase) !== products.length));
  const fewest = yield* fewestParts(own);
  return yield* excerpts(yield* mapInSteps(own, (phrases, index) => phrases.slice(0, fewest[index]).join(', ')));
}

/**
 * Maps product ids to the part of the description that distinguishes the product from others with the same name. A product with a unique
 * name has no entry.
 */
export function* nameDetailsInSteps(products: readonly NamedProduct[]): Steps<ReadonlyMap<number, string>> {
  const groups = Map.groupBy(products, (product) => product.name.trim().toLowerCase());
  const details = new Map<number, string>();
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    yield;
    const texts = yield* detailsOf(group);
    for (const [index, product] of group.entries()) if (texts[index]) details.set(product.id, texts[index]);
  }
  return details;
}

/** Like `nameDetailsInSteps`, but runs all steps without a pause. */
export function nameDetails(products: readonly NamedProduct[]): ReadonlyMap<number, string> {
  const steps = nameDetailsInSteps(products);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export const withDetail = (name: string, detail: string | undefined): string => (detail ? `${name}, ${detail}` : name);

/** Maps product ids to names that distinguish the products. */
export function distinctNames(products: readonly NamedProduct[]): ReadonlyMap<number, string> {
  const details = nameDetails(products);
  return new Map(products.map(({ id, name }) => [id, withDetail(name, details.get(id))]));
}
