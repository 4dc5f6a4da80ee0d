import { useEffect, useEffectEvent } from 'react';
import { UNREAD_MS } from './use-unread.ts';

/** What a click can press or focus. An item of a menu that the user has opened is not included, because a menu may appear at once under the pointer. */
const CONTROLS = ':is(button, a[href], input, select, textarea):not([role=menuitem])';
/** How long earlier places are kept, because a busy page may handle a click long after it was made. */
const KEPT_MS = 3000;
/** A press this many pixels beside a control may be meant for it. */
const NEAR_PX = 8;

interface Place {
  /** Where the control is in the window. */
  readonly rect: DOMRect;
  /** What a click does, if this can change while the control stays the same element. */
  readonly meaning: string | undefined;
}

type Places = ReadonlyMap<Element, Place>;

interface Layout {
  readonly places: Places;
  readonly scrollTop: number;
  readonly scrollHeight: number;
}

function layoutNow(): Layout {
  const places = new Map<Element, Place>();
  for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    const rect = control.getBoundingClientRect();
    if (rect.width > 0) places.set(control, { rect, meaning: control.dataset['meaning'] });
  }
  return { places, scrollTop: scrollY, scrollHeight: document.documentElement.scrollHeight };
}

const isSame = (a: Place, b: Place | undefined): boolean =>
  b !== undefined &&
  a.meaning === b.meaning &&
  (['left', 'top', 'right', 'bottom'] as const).every((side) => Math.abs(a.rect[side] - b.rect[side]) < 1);

const areSame = (a: Places, b: Places): boolean => a.size === b.size && [...a].every(([control, place]) => isSame(place, b.get(control)));

const contains = ({ rect }: Place, { clientX: x, clientY: y }: MouseEvent, near = 0): boolean =>
  x >= rect.left - near && x <= rect.right + near && y >= rect.top - near && y <= rect.bottom + near;

/** Returns whether the click would have done the same with the earlier layout, or was not meant for any control of that layout. */
function isAsBefore(before: Places, now: Place, control: Element, event: MouseEvent): boolean {
  const was = before.get(control);
  if (was && was.meaning !== now.meaning) return false;
  if (was && (isSame(was, now) || contains(was, event))) return true;
  return ![...before].some(([other, place]) => other !== control && contains(place, event, NEAR_PX));
}

/**
 * What has changed the page: a key or a click of the user, something else, or nothing. Without a change of the page, controls move because the
 * user scrolls a part of it or resizes the window, or in an animation.
 */
type Cause = 'user' | 'shift' | null;

/** Keeps the layouts of the last seconds. */
class LayoutHistory {
  #now = layoutNow();
  #before: readonly { readonly places: Places; readonly until: number }[] = [];

  /** After a change by the user, a click is meant for the new layout. A move without a cause is no reason to forget earlier layouts. */
  measure(cause: Cause): void {
    const last = this.#now;
    this.#now = layoutNow();
    if (areSame(last.places, this.#now.places)) return;
    // When the page becomes shorter, the browser scrolls, too.
    const isOnlyScrolled = last.scrollTop !== this.#now.scrollTop && last.scrollHeight === this.#now.scrollHeight;
    const until = performance.now();
    const recent = this.#before.filter((old) => old.until > until - KEPT_MS);
    if (cause === 'user' || isOnlyScrolled) this.#before = [];
    else if (cause === 'shift') this.#before = [...recent, { places: last.places, until }];
  }

  isShifted(event: MouseEvent, pressedAt: number): boolean {
    const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    const now = control && this.#now.places.get(control);
    if (!now) return false;
    return this.#before.some(({ places, until }) => until > pressedAt - UNREAD_MS && !isAsBefore(places, now, control, event));
  }
}

/** Returns whether a key or a click is being handled, with the promises that it has resolved. */
function watchInput(signal: AbortSignal): () => boolean {
  let isHandled = false;
  const begin = (): void => {
    isHandled = true;
    setTimeout(() => (isHandled = false));
  };
  for (const name of ['keydown', 'input', 'click']) addEventListener(name, begin, { capture: true, signal });
  return () => isHandled;
}

function guard(onIgnored: () => void, signal: AbortSignal): void {
  const history = new LayoutHistory();
  const isInputHandled = watchInput(signal);
  let isScheduled = false;
  let cause: Cause = null;
  let pressedAt = -Infinity;
  let ignoredAt = -Infinity;
  const note = (changes: readonly MutationRecord[]): void => {
    if (changes.length > 0 && cause !== 'shift') cause = isInputHandled() ? 'user' : 'shift';
  };
  const measure = (): void => {
    note(observer.takeRecords());
    history.measure(cause);
    isScheduled = false;
    cause = null;
  };
  const observer = new MutationObserver((changes) => {
    note(changes);
    if (isScheduled) return;
    isScheduled = true;
    // After the browser has rendered the frame, reading the places costs no layout.
    requestAnimationFrame(() => setTimeout(() => isScheduled && measure()));
  });
  const check = (event: MouseEvent): void => {
    measure();
    // A click without a pointer, by a key or by a label, has the detail 0.
    if (event.detail === 0) return;
    const press = Math.min(pressedAt, event.timeStamp);
    const isShifted = history.isShifted(event, press);
    // The second press of a double click comes before the user can have read the message about the first one.
    if (!isShifted && press - ignoredAt >= UNREAD_MS) return;
    if (isShifted) ignoredAt = press;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === 'click') onIgnored();
  };
  observer.observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true });
  signal.addEventListener('abort', () => observer.disconnect());
  const options = { capture: true, signal };
  addEventListener('pointerdown', ({ timeStamp }) => (pressedAt = timeStamp), options);
  // A mouse button that is pressed down moves the focus.
  addEventListener('mousedown', check, options);
  // The listeners of the window run before those of the document, so that use-single-clicks.ts does not count an ignored click.
  addEventListener('click', check, options);
}

/**
 * Ignores clicks and taps that were meant for something else because the layout has just shifted, for example when a message has appeared
 * above the buttons. It guarantees that a click does not press a control if, within UNREAD_MS before the user pressed, another control was at that
 * place, or this one had another `data-meaning`. It does not depend on what has shifted the layout.
 * What a key or a click of the user changes at once, and what the user scrolls, is not a shift; for double clicks, see use-single-clicks.ts.
 * Keys are not affected, because they reach the focused control wherever it is.
 */
export function useLayoutShiftGuard(onIgnored: () => void): void {
  const ignored = useEffectEvent(onIgnored);
  useEffect(() => {
    const guarding = new AbortController();
    guard(() => ignored(), guarding.signal);
    return () => guarding.abort();
  }, []);
}
