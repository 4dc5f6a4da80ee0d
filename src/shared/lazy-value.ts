/**
 * Creates a value at its first use and keeps it. Formatters and collators take tens of milliseconds on a slow phone, too much while a
 * script that only might need them is loading.
 */
export function lazyValue<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
