import { useEffect } from 'react';
import { DOUBLE_MS, UNREAD_MONEY_MS } from './use-unread.ts';

/** Two taps within `DOUBLE_MS` and this many pixels, without a key between them, are a double tap. */
const DOUBLE_PX = 30;

interface Guard {
  readonly mayRepeat: boolean;
  readonly onTooSoon: (() => void) | undefined;
}

const NONE = { at: -Infinity, x: 0, y: 0, button: null as Element | null };
let last = NONE;
/** The mounted components that use the hook. While there are none, no click is ignored. */
const guards: Guard[] = [];

function listen(event: PointerEvent): void {
  // A click without a pointer, by a key or by a label, has the detail 0.
  if (event.detail === 0) return;
  const { timeStamp: at, clientX: x, clientY: y, target, detail, pointerType } = event;
  const button = target instanceof Element ? target.closest('button') : null;
  const pause = Math.hypot(x - last.x, y - last.y) < DOUBLE_PX ? at - last.at : Infinity;
  // The system counts the clicks of a mouse as the user has set it up. What it counts as a new click on the same button is one.
  const isCounted = pointerType === 'mouse' && detail > 1;
  const isNew = pointerType === 'mouse' && !isCounted && button === last.button;
  const isSecond = last !== NONE && (isCounted || pause < DOUBLE_MS) && !isNew;
  const isRepeated = button === last.button && guards.every(({ mayRepeat }) => mayRepeat);
  // A button with a `data-meaning` records money.
  const isTooSoon = button?.dataset['meaning'] !== undefined && pause < UNREAD_MONEY_MS;
  const isIgnored = guards.length > 0 && button !== null && (isTooSoon || (isSecond && !isRepeated));
  // A click that came too soon does not put the next one off. After an ignored click, the third click of a triple click must not count as a
  // repetition.
  last = { at: isTooSoon && !isSecond ? last.at : at, x, y, button: isIgnored ? last.button : button };
  if (!isIgnored) return;
  event.preventDefault();
  event.stopPropagation();
  // The second click of a double click is not missed by anybody.
  if (!isSecond) for (const { onTooSoon } of guards) onTooSoon?.();
}

// Clicks are noted before the hook is used, because the first click may have opened the dialog that uses it.
document.addEventListener('click', listen, { capture: true });
for (const name of ['keydown', 'input'])
  document.addEventListener(
    name,
    () => {
      last = NONE;
    },
    { capture: true },
  );

/**
 * Lets all buttons ignore the second click of a double click. The first click may have opened a dialog or a family, or recorded a payment. If
 * another button is below the pointer then, the second click could record a payment whose amount nobody has seen, or answer a question that
 * nobody has read. With `mayRepeat`, a button that got the first click also gets the second one, because some buttons are pressed several
 * times, such as those that raise a quantity. A button with a `data-meaning` also ignores a click that follows somewhat later, also one on the
 * button itself, because its amount has changed if the first click has recorded a payment. `onTooSoon` is called then.
 */
export function useSingleClicks(mayRepeat = false, onTooSoon?: () => void): void {
  useEffect(() => {
    const guard: Guard = { mayRepeat, onTooSoon };
    guards.push(guard);
    return () => void guards.splice(guards.indexOf(guard), 1);
  }, [mayRepeat, onTooSoon]);
}
