/**
 * Creates a value at its first use and keeps it. On a slow phone, creating a formatter or collator takes tens of milliseconds. That would
 * delay the start of a script that may not need the value.
 */
export function lazyValue<Thing extends object | number>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
