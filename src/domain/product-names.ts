// Products may share a name and differ in the description, as brands do: how much of it tells them apart. Our choice, the specification is silent.

export interface Named {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** What fits beside a name in a table and on paper. */
const MOST = 60;

/** How much of a description is looked at, so that the work is bounded by the number of products. */
export const DESCRIPTION_READ = 200;

const phrasesOf = ({ description }: Named): string[] =>
  (description ?? '')
    .slice(0, DESCRIPTION_READ)
    .split(/[,;|\n]|\.\s|\s[-–—]\s/)
    .map((phrase) => phrase.trim().replace(/\.$/, ''))
    .filter((phrase) => phrase !== '');

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Of each sequence how many of its first parts tell it from as many others as possible: 1 or more. Each part is visited once at most. */
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

/** Of a long text the part that holds the first word in which it differs from the others. */
function excerpts(texts: readonly string[]): string[] {
  const all = texts.map((text) => text.split(' '));
  const fewest = fewestParts(all);
  return all.map((words, place) => {
    const count = fewest[place] ?? 1;
    const isWithinCut = words.slice(0, count).join(' ').length <= MOST;
    return isWithinCut || count > words.length ? cut(words.join(' ')) : `…${cut(words.slice(count - 1).join(' '))}`;
  });
}

/** The fewest phrases of each description that no other of the same name begins with, without those that all of them have. */
function detailsOf(products: readonly Named[]): string[] {
  const all = products.map(phrasesOf);
  const shared = countsOf(all.flatMap((phrases) => [...new Set(phrases)]));
  const own = all.map((phrases) => phrases.filter((phrase) => shared.get(phrase) !== products.length));
  const fewest = fewestParts(own);
  return excerpts(own.map((phrases, place) => phrases.slice(0, fewest[place]).join(', ')));
}

/** By product id: the part of the description that tells a product from others of its name; nothing where the name is the only one. */
export function nameDetails(products: readonly Named[]): ReadonlyMap<number, string> {
  const groups = Map.groupBy(products, (product) => product.name.trim().toLowerCase());
  const details = new Map<number, string>();
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const texts = detailsOf(group);
    for (const [index, product] of group.entries()) if (texts[index]) details.set(product.id, texts[index]);
  }
  return details;
}

/** The name of a product as it stands in a list of names alone. */
export const withDetail = (name: string, detail: string | undefined): string => (detail ? `${name}, ${detail}` : name);
