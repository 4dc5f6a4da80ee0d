import { useEffect } from 'react';
import { topmostContainer } from './restore-focus.ts';

const CONTAINERS = '[data-keeps-focus], [role="tabpanel"], [role="dialog"], main';
/** The delay before the focus is moved. A dialog that closes has restored the focus by then. */
const FOCUS_DELAY_MS = 100;

/**
 * Prevents keyboard users from losing their place on the page. When the focused element is removed or disabled, its container gets the
 * focus. An element that was disabled during a save gets the focus back when it is enabled.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: readonly HTMLElement[] = [];
    /** The element that got the focus when the element `last` was removed or disabled. */
    let fallback: HTMLElement | undefined;
    let timer = 0;
    const isGone = (): boolean => last?.isConnected === false || last?.matches(':disabled') === true;
    const note = ({ target }: Pick<FocusEvent, 'target'>): void => {
      if (!(target instanceof Element) || target === fallback) return;
      last = target;
      around = containersAround(target);
      fallback = undefined;
    };
    const keep = (): void => {
      if (![null, document.body, fallback].includes(document.activeElement as HTMLElement | null)) return;
      if (!isGone()) {
        if (last instanceof HTMLElement) last.focus({ preventScroll: true });
      } else if (!fallback?.isConnected) {
        fallback = targetIn(around.find((element) => element.isConnected) ?? topmostContainer());
        fallback?.focus({ preventScroll: true });
      }
    };
    const watch = new MutationObserver(() => {
      if (!fallback && !isGone()) return;
      clearTimeout(timer);
      timer = window.setTimeout(keep, FOCUS_DELAY_MS);
    });
    document.addEventListener('focusin', note);
    // The focused element may have got the focus before this effect runs. After Back, for example, the last followed link gets the focus
    // while the page renders.
    if (document.activeElement !== document.body) note({ target: document.activeElement });
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', note);
      watch.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

/** Returns the element to focus inside a container. For a card this is the heading, because the card itself cannot be focused. */
const targetIn = (container: HTMLElement | null): HTMLElement | undefined =>
  (container?.matches('[data-keeps-focus]') ? container.querySelector<HTMLElement>('h2') : null) ?? container ?? undefined;

function containersAround(element: Element): HTMLElement[] {
  const containers: HTMLElement[] = [];
  for (let found = element.closest<HTMLElement>(CONTAINERS); found; found = found.parentElement?.closest<HTMLElement>(CONTAINERS) ?? null)
    containers.push(found);
  return containers;
}
