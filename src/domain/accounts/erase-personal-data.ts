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
 * A node of a trie (prefix tree) that contains the texts to erase. `next` maps the next word or character to its node. `isEnd` is true
 * where one of the texts ends.
 */
interface Node {
  readonly next: Map<string, Node>;
  isEnd: boolean;
}

function treeOf(texts: Iterable<string>): Node {
  const root: Node = { next: new Map(), isEnd: false };
  for (const text of new Set(texts)) {
    if (text.length < SHORTEST_WORD) continue;
    let node = root;
    for (const part of partsOf(text).map(folded)) {
      const next = node.next.get(part) ?? { next: new Map(), isEnd: false };
      node.next.set(part, next);
      node = next;
    }
    node.isEnd = true;
  }
  return root;
}

/**
 * Returns how many parts, starting at the index `at`, belong to the longest known text that begins there. Returns 0 if no known text begins
 * there.
 */
function matchAt(parts: readonly string[], at: number, root: Node): number {
  let [node, longest]: [Node | undefined, number] = [root, 0];
  for (let length = 1; node; length++) {
    node = node.next.get(folded(parts[at + length - 1] ?? ''));
    if (node?.isEnd) longest = length;
  }
  return longest;
}

/** Replaces the known texts where they occur as whole words, the longest one first. */
function replaceIn(text: string, root: Node, name: string): string {
  const parts = partsOf(text);
  const replaced: string[] = [];
  for (let at = 0; at < parts.length;) {
    const length = matchAt(parts, at, root);
    replaced.push(length === 0 ? (parts[at] ?? '') : name);
    at += Math.max(1, length);
  }
  return replaced.join('');
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
