// Removes a forgotten customer's personal data from texts and JSON that other people wrote (contract §18).

export interface KnownWords {
  readonly emails: readonly string[];
  readonly contacts: readonly Readonly<Record<string, string>>[];
}

interface Replacement {
  readonly name: string;
  readonly userId: number;
  readonly orderIds: readonly number[];
}

export interface Eraser {
  /** Erases the person's words in a text that is about this person. */
  readonly text: (text: string) => string;
  /** Erases the person's words in JSON that may be about several people. Only the data of this person changes. */
  readonly json: (json: string) => string;
}

/**
 * Only these fields are erased in sentences. The other fields do not identify anybody there, and their values may be short words that occur
 * inside many other words.
 */
const IN_SENTENCES = ['firstName', 'lastName', 'address', 'phone'];
const SHORTEST_WORD = 2;
const CONTACT_FIELDS = [...IN_SENTENCES, 'city', 'state', 'zip'];

const partsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
const folded = (part: string): string => part.toUpperCase().toLowerCase();

/**
 * A node of a trie (prefix tree) of the texts to erase, each a sequence of words and other characters. With `fallback`, the trie is an
 * Aho-Corasick automaton: it finds all texts in linear time, whatever texts the person and the writer have chosen.
 */
interface Node {
  readonly next: Map<string, Node>;
  readonly depth: number;
  /** The node of the longest proper suffix that the trie contains. Null for the root. */
  fallback: Node | null;
  /** The number of parts of the longest text to erase that ends here. 0 if no text ends here. */
  ending: number;
}

const nodeAt = (depth: number, fallback: Node | null): Node => ({ next: new Map(), depth, fallback, ending: 0 });

/** Returns the node that follows `node` when `part` is read. */
function step(node: Node, part: string): Node {
  for (let from: Node = node; ; from = from.fallback) {
    const next = from.next.get(part);
    if (next) return next;
    if (from.fallback === null) return from;
  }
}

/** Completes the trie, from the root to the leaves. */
function addFallbacks(root: Node): void {
  const nodes = [root];
  for (const node of nodes)
    for (const [part, next] of node.next) {
      if (node.fallback !== null) next.fallback = step(node.fallback, part);
      next.ending = Math.max(next.ending, next.fallback?.ending ?? 0);
      nodes.push(next);
    }
}

function treeOf(texts: Iterable<string>): Node {
  const root = nodeAt(0, null);
  for (const text of new Set(texts)) {
    if (text.length < SHORTEST_WORD) continue;
    let node = root;
    for (const part of partsOf(text).map(folded)) {
      const next = node.next.get(part) ?? nodeAt(node.depth + 1, root);
      node.next.set(part, next);
      node = next;
    }
    node.ending = node.depth;
  }
  addFallbacks(root);
  return root;
}

/** Replaces the known texts where they occur as whole words. Known texts that overlap are replaced together. */
function replaceIn(text: string, root: Node, name: string): string {
  const parts = partsOf(text);
  const found: { from: number; to: number }[] = [];
  let node = root;
  for (const [index, part] of parts.entries()) {
    node = step(node, folded(part));
    if (node.ending === 0) continue;
    let from = index + 1 - node.ending;
    for (let last = found.at(-1); last && last.to > from; last = found.at(-1)) {
      from = Math.min(from, last.from);
      found.pop();
    }
    found.push({ from, to: index + 1 });
  }
  const kept = found.map(({ from }, index) => parts.slice(found[index - 1]?.to ?? 0, from).join('') + name);
  return kept.join('') + parts.slice(found.at(-1)?.to ?? 0).join('');
}

const textsOf = (contacts: KnownWords['contacts'], names: readonly string[]): string[] =>
  contacts.flatMap((contact) => names.map((name) => contact[name] ?? '').filter((value) => value.trim() !== ''));

export function eraser({ emails, contacts }: KnownWords, { name, userId, orderIds }: Replacement): Eraser {
  const parts = textsOf(contacts, ['firstName', 'lastName']).flatMap((text) => text.split(/\s+/));
  const fullNames = contacts.flatMap(({ firstName = '', lastName = '' }) => [`${firstName} ${lastName}`, `${lastName}, ${firstName}`]);
  const everywhere = treeOf(emails);
  const inOwnTexts = treeOf([...emails, ...fullNames, ...textsOf(contacts, IN_SENTENCES), ...parts]);
  const ofOwn = new Set(textsOf(contacts, CONTACT_FIELDS));
  const text = (written: string): string => replaceIn(written, inOwnTexts, name);

  const isAboutPerson = (value: Readonly<Record<string, unknown>>): boolean =>
    value['userId'] === userId ||
    value['customerId'] === userId ||
    orderIds.includes(Number(value['orderId'])) ||
    ('distributionId' in value && 'products' in value && orderIds.includes(Number(value['id']))) ||
    emails.includes(String(value['email']));

  function walk(value: unknown, isOwn: boolean): unknown {
    if (typeof value === 'string') return isOwn ? (ofOwn.has(value) ? '' : text(value)) : replaceIn(value, everywhere, name);
    if (Array.isArray(value)) return value.map((item) => walk(item, isOwn));
    if (typeof value !== 'object' || value === null) return value;
    const isOwnHere = isOwn || isAboutPerson(value as Record<string, unknown>);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, isOwnHere && key === 'note' ? null : walk(item, isOwnHere)]),
    );
  }
  return { text, json: (json) => JSON.stringify(walk(JSON.parse(json), false)) };
}
