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

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Returns an expression that matches any of the words as a whole, trying the longest word first. Returns null when there are no words. */
function patternOf(words: Iterable<string>): RegExp | null {
  const sorted = [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD).toSorted((a, b) => b.length - a.length);
  if (sorted.length === 0) return null;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${sorted.map(escaped).join('|')})(?![\p{L}\p{N}])`, 'giu');
}

const textsOf = (contacts: KnownWords['contacts'], names: readonly string[]): string[] =>
  contacts.flatMap((contact) => names.map((name) => contact[name] ?? '').filter((value) => value.trim() !== ''));

export function eraser({ emails, contacts }: KnownWords, { name, userId, orderIds }: Replacement): Eraser {
  const parts = textsOf(contacts, ['firstName', 'lastName']).flatMap((text) => text.split(/\s+/));
  const fullNames = contacts.flatMap(({ firstName = '', lastName = '' }) => [`${firstName} ${lastName}`, `${lastName}, ${firstName}`]);
  const everywhere = patternOf(emails);
  const inOwnTexts = patternOf([...emails, ...fullNames, ...textsOf(contacts, IN_SENTENCES), ...parts]);
  const ofOwn = new Set(textsOf(contacts, CONTACT_FIELDS));
  const replace = (text: string, pattern: RegExp | null): string => (pattern === null ? text : text.replaceAll(pattern, name));
  const text = (written: string): string => replace(written, inOwnTexts);

  const isAboutPerson = (value: Readonly<Record<string, unknown>>): boolean =>
    value['userId'] === userId ||
    value['customerId'] === userId ||
    orderIds.includes(Number(value['orderId'])) ||
    ('distributionId' in value && 'products' in value && orderIds.includes(Number(value['id']))) ||
    emails.includes(String(value['email']));

  function walk(value: unknown, isOwn: boolean): unknown {
    if (typeof value === 'string') return isOwn ? (ofOwn.has(value) ? '' : text(value)) : replace(value, everywhere);
    if (Array.isArray(value)) return value.map((item) => walk(item, isOwn));
    if (typeof value !== 'object' || value === null) return value;
    const isOwnHere = isOwn || isAboutPerson(value as Record<string, unknown>);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, isOwnHere && key === 'note' ? null : walk(item, isOwnHere)]),
    );
  }
  return { text, json: (json) => JSON.stringify(walk(JSON.parse(json), false)) };
}
