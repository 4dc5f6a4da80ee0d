/** Lets the browser ask for a confirmation before the page is closed or reloaded, until the returned function is called. */
export function askBeforeUnload(): () => void {
  const stopClosing = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', stopClosing);
  return () => removeEventListener('beforeunload', stopClosing);
}

/** Runs a save that takes long. If the user closes the page meanwhile, the browser asks for a confirmation. */
export async function whileUnsaved(save: () => Promise<void>): Promise<void> {
  const stopAsking = askBeforeUnload();
  await save();
  stopAsking();
}
