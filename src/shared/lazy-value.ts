/**
 * Creates a value at its first use and keeps it. On a slow phone, creating a formatter or collator takes tens of milliseconds. That is too
 * long while a script is loading that may not need it.
 */
export function lazyValue<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
