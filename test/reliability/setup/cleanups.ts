// What a proof has opened and must end: whatever it leaves open because it failed, or because it took too long, is ended after it.
const open = new Set<() => Promise<void>>();

/** The call that ends it, once; whoever calls it again waits for the same end. */
export function onCleanup(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close().finally(() => open.delete(end)));
  open.add(end);
  return end;
}

/** The last that was opened goes first, and what is opened meanwhile goes too. */
export async function runCleanups(): Promise<void> {
  for (let end = [...open].at(-1); end; end = [...open].at(-1)) await end().catch((error: unknown) => console.error(error));
}
