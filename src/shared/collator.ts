/** How texts stand in lists: `é` with `e` whatever the case, and 9 before 10. */
export const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });
