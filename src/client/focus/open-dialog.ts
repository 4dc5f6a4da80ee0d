/** Returns the dialog that is open, or null. */
export const openDialog = (): Element | null => document.querySelector('[role=dialog], [role=alertdialog], dialog[open]');
