/** Returns the page or its topmost dialog. A confirmation dialog does not count, because it manages the focus itself. */
export const topmostContainer = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('main, [role="dialog"]')].at(-1) ?? null;

/**
 * Restores the focus to the element that opened a dialog. If that element is gone, the topmost remaining dialog gets the focus; otherwise a
 * quick Tab would leave the dialog. `useFocusFallback` does the same slightly later.
 */
export function restoreFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  // setTimeout is needed because the remaining dialog accepts focus only after the closing one is removed.
  setTimeout(() => {
    const front = topmostContainer();
    if (document.activeElement === document.body && front?.matches('[role="dialog"]')) front.focus();
  });
}
