/**
 * Creates a value at its first use and keeps it. Creating a formatter or collator takes tens of milliseconds on a slow phone, too long
 * while a script that may not need it is loading.
 */
export function lazyValue<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
