import { useEffect } from 'react';
import { topmostContainer } from './restore-focus.ts';

const PLACES = '[data-keeps-focus], [role="tabpanel"], [role="dialog"], main';
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
    let place: HTMLElement | undefined;
    let timer = 0;
    const isGone = (): boolean => last?.isConnected === false || last?.matches(':disabled') === true;
    const note = ({ target }: Pick<FocusEvent, 'target'>): void => {
      if (!(target instanceof Element) || target === place) return;
      last = target;
      around = placesAround(target);
      place = undefined;
    };
    const keep = (): void => {
      if (![null, document.body, place].includes(document.activeElement as HTMLElement | null)) return;
      if (!isGone()) {
        if (last instanceof HTMLElement) last.focus({ preventScroll: true });
      } else if (!place?.isConnected) {
        place = targetIn(around.find((element) => element.isConnected) ?? topmostContainer());
        place?.focus({ preventScroll: true });
      }
    };
    const watch = new MutationObserver(() => {
      if (!place && !isGone()) return;
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
const targetIn = (place: HTMLElement | null): HTMLElement | undefined =>
  (place?.matches('[data-keeps-focus]') ? place.querySelector<HTMLElement>('h2') : null) ?? place ?? undefined;

function placesAround(element: Element): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let place = element.closest<HTMLElement>(PLACES); place; place = place.parentElement?.closest<HTMLElement>(PLACES) ?? null)
    places.push(place);
  return places;
}
