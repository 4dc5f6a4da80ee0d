import { useEffect, useRef } from 'react';
import type { MouseEvent, PointerEvent } from 'react';

const DELAY = 400;
const PACE = 90;

/**
 * Returns the props of a button that calls `act` once on a click, and repeatedly while the user holds the button down. Scrolling with a
 * finger does not call `act`.
 */
export function usePressAndHold(act: () => void, isDisabled: boolean) {
  const latest = useRef({ act, isDisabled });
  useEffect(() => {
    latest.current = { act, isDisabled };
  });
  const timer = useRef(0);
  const hasRepeated = useRef(false);

  const stop = (): void => clearTimeout(timer.current);
  useEffect(() => stop, []);

  const repeat = (): void => {
    if (latest.current.isDisabled) return;
    hasRepeated.current = true;
    latest.current.act();
    timer.current = window.setTimeout(repeat, PACE);
  };

  return {
    'aria-disabled': isDisabled || undefined,
    onClick: () => {
      if (!hasRepeated.current && !isDisabled) act();
      hasRepeated.current = false;
    },
    onPointerDown: (event: PointerEvent) => {
      hasRepeated.current = false;
      stop();
      if (event.button === 0) timer.current = window.setTimeout(repeat, DELAY);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  };
}
