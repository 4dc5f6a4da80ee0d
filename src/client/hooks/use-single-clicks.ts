import { useEffect } from 'react';

/** Two taps within this many milliseconds and pixels, without a key between them, are a double tap. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 30;

const NONE = { at: -Infinity, x: 0, y: 0, button: null as Element | null };
let last = NONE;
/** The values of `mayRepeat` of the mounted components that use the hook. While there are none, no click is ignored. */
const guards: boolean[] = [];

function listen(event: PointerEvent): void {
  // A click without a pointer, by a key or by a label, has the detail 0.
  if (event.detail === 0) return;
  const { timeStamp: at, clientX: x, clientY: y, target, detail, pointerType } = event;
  const button = target instanceof Element ? target.closest('button') : null;
  const isNear = at - last.at < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < DOUBLE_PX;
  // The system counts the clicks of a mouse as the user has set it up. What it counts as a new click on the same button is one.
  const isCounted = pointerType === 'mouse' && detail > 1;
  const isNew = pointerType === 'mouse' && !isCounted && button === last.button;
  const isSecond = last !== NONE && (isCounted || isNear) && !isNew;
  const isRepeated = button === last.button && guards.every((mayRepeat) => mayRepeat);
  const isIgnored = guards.length > 0 && isSecond && button !== null && !isRepeated;
  // After an ignored click, the third click of a triple click must not count as a repetition.
  last = { at, x, y, button: isIgnored ? last.button : button };
  if (!isIgnored) return;
  event.preventDefault();
  event.stopPropagation();
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
 * times, such as those that raise a quantity.
 */
export function useSingleClicks(mayRepeat = false): void {
  useEffect(() => {
    guards.push(mayRepeat);
    return () => void guards.splice(guards.indexOf(mayRepeat), 1);
  }, [mayRepeat]);
}
