/** The page or its topmost dialog; not a confirmation, which manages the focus itself. */
export const topmostContainer = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('main, [role="dialog"]')].at(-1) ?? null;

/**
 * To what opened the dialog that closes. Where that has gone, as the button of a step that is over, a dialog that stands in front takes
 * the focus: one that has lost it holds nobody in, and Tab would walk the page behind it. `useFocusFallback` does as much a moment later, too late for a
 * quick Tab.
 */
export function restoreFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  // Deferred: the remaining dialog handles focus again only after this one is removed.
  setTimeout(() => {
    const front = topmostContainer();
    if (document.activeElement === document.body && front?.matches('[role="dialog"]')) front.focus();
  });
}
