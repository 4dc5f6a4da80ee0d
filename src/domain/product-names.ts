// Products may share a name and differ in the description, as brands do: how much of it tells them apart. Our choice, the specification is silent.

export interface Named {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** What fits beside a name in a table and on paper. */
const MOST = 60;

const phrasesOf = ({ description }: Named): string[] =>
  (description ?? '')
    .split(/[,;|\n]|\.\s|\s[-–—]\s/)
    .map((phrase) => phrase.trim().replace(/\.$/, ''))
    .filter((phrase) => phrase !== '');

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const cut = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST).replace(/\s+\S*$/, '')}…`);

/** Of a long text the part that holds the first word in which it differs from the others. */
function excerpts(texts: readonly string[]): string[] {
  const counts = countsOf(texts.flatMap((text) => [...new Set(prefixesOf(text))]));
  return texts.map((text) => {
    const prefixes = prefixesOf(text);
    const differs = prefixes.findIndex((prefix) => counts.get(prefix) === 1);
    const end = prefixes[differs]?.length ?? 0;
    return end <= MOST ? cut(text) : `…${cut(text.slice(prefixes[differs - 1]?.length ?? 0).trim())}`;
  });
}

/** 'Dry', 'Dry red', 'Dry red wine'. */
function prefixesOf(text: string): string[] {
  const words = text.split(' ');
  return words.map((_, index) => words.slice(0, index + 1).join(' '));
}

/** The fewest phrases of each description that no other of the same name begins with, without those that all of them have. */
function detailsOf(products: readonly Named[]): string[] {
  const all = products.map(phrasesOf);
  const shared = countsOf(all.flatMap((phrases) => [...new Set(phrases)]));
  const own = all.map((phrases) => phrases.filter((phrase) => shared.get(phrase) !== products.length));
  const most = Math.max(...own.map((phrases) => phrases.length));
  const labels = Array.from({ length: most }, (_, index) => own.map((phrases) => phrases.slice(0, index + 1).join(', ')));
  const counts = labels.map(countsOf);
  const fewest = products.map((_, place) => {
    const clashes = labels.map((texts, index) => counts[index]?.get(texts[place] ?? '') ?? 0);
    return labels[clashes.indexOf(Math.min(...clashes))]?.[place] ?? '';
  });
  return excerpts(fewest);
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
