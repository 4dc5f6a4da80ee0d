// Finds a family: a customer with an order. The search text may be any part of the name, phone number, e-mail address or order number, or a
// scanned code (contract §14).
import { sum } from '../../../domain/money.ts';
import { compareTexts } from '../../../shared/compare-texts.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import type { CounterOrder } from '../contract.ts';
import { isPhoneNumber } from '../keys/family-text.ts';
import { isMoney, isRefused, orderWith, stateOf, type QueuedWrite } from '../device/writes.ts';

export interface Family {
  readonly order: CounterOrder;
  readonly name: string;
  /** The text that is searched, in lower case and without accents. */
  readonly searched: string;
}

/** The letters that Unicode does not decompose into a basic letter and an accent. */
const BASIC_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };
const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łøđßæœı]/g, (letter) => BASIC_LETTERS[letter] ?? letter);
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Caches the family of each order, with the text that a search looks through. A changed order is a new object, so it gets a new entry. */
const known = new WeakMap<CounterOrder, Family>();

function familyOf(order: CounterOrder): Family {
  const { id, firstName, lastName, phone, email } = order;
  const words = [firstName, lastName, phone, digitsOf(phone ?? ''), email, `#${id}`];
  const family = known.get(order) ?? { order, name: sortNameOrEmail(order), searched: folded(words.filter(Boolean).join(' ')) };
  known.set(order, family);
  return family;
}

/** Whether the order has no units any more. It is then neither weighed nor picked up. */
export const isCancelled = ({ lines }: CounterOrder): boolean => lines.length === 0;

/** Returns the families of the orders, sorted by name. */
export const familiesOf = (orders: Iterable<CounterOrder>): readonly Family[] =>
  [...orders].map(familyOf).toSorted((a, b) => compareTexts(a.name, b.name) || a.order.id - b.order.id);

/**
 * Caches the result of applying the queued writes to a family. The key is the family as the server sent it; `writes` tells which writes
 * were applied.
 */
const applied = new WeakMap<Family, { readonly writes: string; readonly family: Family }>();

function familyWith(family: Family, writes: readonly QueuedWrite[]): Family {
  // The content of a write never changes, so the cache key contains only the key of the write. How a payment is displayed also depends on
  // its state and its id, so the cache key contains these, too.
  const keys = writes
    .filter((queued) => !isRefused(queued))
    .map((queued) => `${isMoney(queued) ? stateOf(queued) : queued.key} ${queued.paymentId ?? ''}`);
  const known = applied.get(family);
  if (known?.writes === keys.join()) return known.family;
  const changed = keys.length === 0 ? family : { ...family, order: orderWith(family.order, writes) };
  applied.set(family, { writes: keys.join(), family: changed });
  return changed;
}

/**
 * Returns the families with the queued writes applied. A family whose writes are the same as before keeps its object, so that it is not
 * rendered again.
 */
export function familiesWith(families: readonly Family[], writes: readonly QueuedWrite[]): readonly Family[] {
  if (writes.length === 0) return families;
  const byOrder = Map.groupBy(writes, ({ orderId }) => orderId);
  return families.map((family) => {
    const own = byOrder.get(family.order.id);
    return own ? familyWith(family, own) : family;
  });
}

/**
 * Returns the families that ordered at least one unit, or whose cancelled order has payments to give back, or a payment that waits or was
 * refused.
 */
export function listedFamilies(families: readonly Family[], writes: readonly QueuedWrite[]): readonly Family[] {
  const withMoney = new Set(writes.filter(isMoney).map(({ orderId }) => orderId));
  return families.filter(
    ({ order }) => !isCancelled(order) || withMoney.has(order.id) || sum(order.payments.map(({ amount }) => amount)) !== 0,
  );
}

/** Returns the orders that are picked up or cancelled, and the open one. Staff who search look for another family. */
export const servedIn = (families: readonly Family[], openOrder: number | null): ReadonlySet<number> =>
  new Set(
    families.filter(({ order }) => order.pickedUpAt !== null || isCancelled(order) || order.id === openOrder).map(({ order }) => order.id),
  );

/**
 * Ranks a match; lower is better. An exact order number is best, then a match at the beginning of a word, then a match within a word.
 * Served orders rank after the others.
 */
function rankOf({ order, searched }: Family, parts: readonly string[], served: ReadonlySet<number>): number {
  const isNumber = parts.length === 1 && [`${order.id}`, `#${order.id}`].includes(parts[0] ?? '');
  if (isNumber) return 0;
  const isStart = parts.every((part) => searched.startsWith(part) || searched.includes(` ${part}`));
  return (isStart ? 1 : 2) + (served.has(order.id) ? 2 : 0);
}

/** Whether the first or last name of a family contains this word. */
export const hasName = (families: readonly Family[], word: string): boolean =>
  families.some(({ order }) =>
    folded(`${order.firstName ?? ''} ${order.lastName ?? ''}`)
      .split(/[^\p{L}]+/u)
      .includes(folded(word)),
  );

interface FoundFamilies {
  readonly found: Family[];
  /** How many more families match. */
  readonly more: number;
}

/**
 * Whether the text could be the weight of a unit, typed into the search by mistake. Almost every short number is a part of some phone
 * number.
 */
export const isWeight = (text: string): boolean => /^(\d{1,3}|\d{0,3}[.,]\d{0,3})$/.test(text.trim());

/**
 * Whether the text could be an amount of money or a weight, typed by mistake at a button or into the search. Many phone numbers end with such
 * a number, but whole ones are longer.
 */
export const isAmount = (text: string): boolean => /^\$?(\d{1,5}|[\d,]*[.,]\d{0,3})$/.test(text.trim());

/**
 * Returns at most `most` families, best matches first; none for an empty search text. Commas only separate words, as in `Adler, Zev`.
 * `served` contains the orders that rank after the others.
 */
export function findFamilies(families: readonly Family[], text: string, most: number, served = servedIn(families, null)): FoundFamilies {
  const parts = folded(text)
    .split(/\s+|,(?!\d)/)
    .filter(Boolean);
  if (parts.length === 0) return { found: [], more: 0 };
  const digits = digitsOf(text);
  // Another number with a dot or a comma is a weight.
  const isPhone = isPhoneNumber(text.trim()) || (digits.length >= 4 && /^[\d\s()+/-]+$/.test(text.trim()));
  // With #, a number is the whole number of an order. The order with this number may be of another distribution.
  const isIn = ({ order, searched }: Family, part: string): boolean =>
    /^#\d+$/.test(part) ? part === `#${order.id}` : searched.includes(part);
  const isMatch = (family: Family): boolean => parts.every((part) => isIn(family, part)) || (isPhone && family.searched.includes(digits));
  const matching = families
    .filter(isMatch)
    .map((family) => ({ family, rank: rankOf(family, parts, served) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ family }) => family);
  return { found: matching.slice(0, most), more: Math.max(0, matching.length - most) };
}
