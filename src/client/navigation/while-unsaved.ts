/** Runs a save that takes long. If the user closes the page meanwhile, the browser asks for a confirmation. */
export async function whileUnsaved(save: () => Promise<void>): Promise<void> {
  const stopClosing = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', stopClosing);
  await save();
  removeEventListener('beforeunload', stopClosing);
}
