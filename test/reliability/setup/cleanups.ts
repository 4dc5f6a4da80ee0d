// Closes everything that a reliability test has opened, even if the test has failed or taken too long.
const open = new Set<() => Promise<void>>();

/** Registers a function that closes a resource. Returns a function that calls it only once: further calls return the same promise. */
export function onCleanup(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close().finally(() => open.delete(end)));
  open.add(end);
  return end;
}

/** Closes all registered resources, the newest first. Resources that are registered meanwhile are closed too. */
export async function runCleanups(): Promise<void> {
  for (let end = [...open].at(-1); end; end = [...open].at(-1)) await end().catch((error: unknown) => console.error(error));
}
