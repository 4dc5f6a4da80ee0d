// Closes everything that a reliability test has opened, even if the test failed or timed out.
const open = new Set<() => Promise<void>>();

/** Registers a resource. Returns a function that closes the resource once; further calls wait for the same promise. */
export function onCleanup(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close().finally(() => open.delete(end)));
  open.add(end);
  return end;
}

/** Closes all resources, the newest first, including resources that are opened meanwhile. */
export async function runCleanups(): Promise<void> {
  for (let end = [...open].at(-1); end; end = [...open].at(-1)) await end().catch((error: unknown) => console.error(error));
}
