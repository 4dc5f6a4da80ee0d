// Several products may have the same name and differ only in the description, for example by brand. This module finds the part of the
// description that distinguishes these products (our choice; not specified).

export interface NamedProduct {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** The number of characters that fit beside a name in tables and prints. */
const MOST = 60;

/** The number of characters of a description that are compared. A limit keeps the computing time short. */
export const COMPARED_DESCRIPTION_LENGTH = 200;

const phrasesOf = ({ description }: NamedProduct): string[] =>
  (description ?? '')
    .slice(0, COMPARED_DESCRIPTION_LENGTH)
    .split(/[,;|\n]|\.\s|\s[-–—]\s/)
    .map((phrase) => phrase.trim().replace(/\.$/, ''))
    .filter((phrase) => phrase !== '');

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * Returns, for each sequence of parts, the smallest number of leading parts that distinguishes it from as many other sequences as possible.
 * The number is at least 1. Each part is visited at most once, so that long lists stay fast.
 */
function fewestParts(sequences: readonly (readonly string[])[]): number[] {
  const fewest = sequences.map(() => 1);
  let groups = [[...sequences.keys()]];
  for (let depth = 0; groups.length > 0; depth += 1) {
    groups = groups.flatMap((group) => {
      const byPart = Map.groupBy(group, (place) => sequences[place]?.[depth]);
      if (byPart.size > 1) for (const place of group) fewest[place] = depth + 1;
      byPart.delete(undefined);
      return [...byPart.values()].filter((alike) => alike.length > 1);
    });
  }
  return fewest;
}

const cut = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST).replace(/\s+\S*$/, '')}…`);

/**
 * Shortens long descriptions. An excerpt normally begins at the start of the description. If the first word that differs from the other
 * descriptions would be cut off, the excerpt begins with that word.
 */
function excerpts(texts: readonly string[]): string[] {
  const all = texts.map((text) => text.split(' '));
  const fewest = fewestParts(all);
  return all.map((words, place) => {
    const count = fewest[place] ?? 1;
    const isWithinCut = words.slice(0, count).join(' ').length <= MOST;
    return isWithinCut || count > words.length ? cut(words.join(' ')) : `…${cut(words.slice(count - 1).join(' '))}`;
  });
}

/**
 * Returns for each product the shortest sequence of phrases in its description that distinguishes the product from others with the same
 * name. Phrases that all of these products share are omitted.
 */
function detailsOf(products: readonly NamedProduct[]): string[] {
  const all = products.map(phrasesOf);
  const shared = countsOf(all.flatMap((phrases) => [...new Set(phrases)]));
  const own = all.map((phrases) => phrases.filter((phrase) => shared.get(phrase) !== products.length));
  const fewest = fewestParts(own);
  return excerpts(own.map((phrases, place) => phrases.slice(0, fewest[place]).join(', ')));
}

/**
 * Maps product ids to the part of the description that distinguishes the product from others with the same name. A product with a unique
 * name has no entry.
 */
export function nameDetails(products: readonly NamedProduct[]): ReadonlyMap<number, string> {
  const groups = Map.groupBy(products, (product) => product.name.trim().toLowerCase());
  const details = new Map<number, string>();
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const texts = detailsOf(group);
    for (const [index, product] of group.entries()) if (texts[index]) details.set(product.id, texts[index]);
  }
  return details;
}

export const withDetail = (name: string, detail: string | undefined): string => (detail ? `${name}, ${detail}` : name);
