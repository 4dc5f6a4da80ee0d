/**
 * What is made when it is first asked for, and kept. Formats and collators of a language take tens of milliseconds on a slow phone, which a
 * script that only might need them must not spend while it is loaded.
 */
export function lazyValue<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
