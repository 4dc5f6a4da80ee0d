/** Returns a function that generates random numbers between 0 and 1, always the same ones for the same seed (mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns a random whole number from `from` to `to`, inclusive. */
export function wholeBetween(random: () => number, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

/** Returns a random entry of a list, which must not be empty. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new Error('cannot pick from an empty list');
  return chosen;
}

export function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((entry) => ({ entry, sortKey: random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ entry }) => entry);
}
