import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLayoutShiftGuard } from './use-layout-shift-guard.ts';
import { UNREAD_MS } from './use-unread.ts';

const onPress = vi.fn();
const onIgnored = vi.fn();
const HEIGHT = 40;

interface Shown {
  /** The names of the buttons, and where each of them begins. */
  tops: Readonly<Record<string, number>>;
  amount?: number;
}

/** jsdom has no layout, so each button reports where it is. */
function Buttons({ tops, amount }: Shown): ReactNode {
  useLayoutShiftGuard(onIgnored);
  return Object.entries(tops).map(([name, top]) => (
    <button
      key={name}
      ref={(button) => {
        if (button) button.getBoundingClientRect = () => new DOMRect(0, top - scrollY, 100, HEIGHT);
      }}
      data-top={top}
      data-meaning={amount}
      onClick={() => onPress(name)}
    >
      {name}
    </button>
  ));
}

beforeEach(() => {
  vi.resetAllMocks();
  scrollTo(0);
});
afterEach(() => void vi.restoreAllMocks());

const scrollTo = (top: number): void => void Object.defineProperty(globalThis, 'scrollY', { value: top, configurable: true });

/** Presses and releases the mouse button. The events have the given times. Without a time, the events happen now. */
function click(name: string, y: number, { pressedAt = performance.now(), detail = 1 } = {}): void {
  const button = screen.getByRole('button', { name });
  for (const type of ['pointerDown', 'mouseDown', 'click'] as const) {
    const event = createEvent[type](button, { clientX: 50, clientY: y, detail });
    Object.defineProperty(event, 'timeStamp', { value: pressedAt });
    fireEvent(button, event);
  }
}

const BEFORE = { pay: 100, without: 150 };

test.each<[string, Shown, Parameters<typeof click>, boolean]>([
  ['that has moved to the place of another one', { tops: { pay: 150, without: 200 } }, ['pay', 170], false],
  ['that has moved into the gap beside another one', { tops: { pay: 140, without: 190 } }, ['pay', 145], false],
  ['that has moved to a place where nothing was', { tops: { pay: 300, without: 350 } }, ['pay', 320], true],
  ['that has moved, but was at this place, too', { tops: { pay: 110, without: 160 } }, ['pay', 130], true],
  ['that has not moved', { tops: { ...BEFORE, more: 200 } }, ['without', 170], true],
  ['that is new at the place of another one', { tops: { next: 100 } }, ['next', 120], false],
  ['that is new at a place without a button', { tops: { ...BEFORE, more: 200 } }, ['more', 220], true],
  ['that would now pay another amount', { tops: BEFORE, amount: 2 }, ['pay', 120], false],
  ['that has moved, by a key', { tops: { pay: 150, without: 200 } }, ['pay', 170, { detail: 0 }], true],
])('a click on a button %s presses it only if it was meant for this button (reliability abuse)', (_, after, clicked, isPressed) => {
  const { rerender } = render(<Buttons tops={BEFORE} amount={1} />);
  rerender(<Buttons amount={1} {...after} />);
  click(...clicked);
  expect([onPress.mock.calls.flat(), onIgnored.mock.calls.length]).toEqual(isPressed ? [[clicked[0]], 0] : [[], 1]);
});

test('a button that has moved is pressed by a click that follows an ignored one, when the user can have looked at it (reliability abuse)', () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  rerender(<Buttons tops={{ pay: 150, without: 200 }} />);
  click('pay', 170);
  expect(onPress).not.toHaveBeenCalled();
  click('pay', 170, { pressedAt: performance.now() + UNREAD_MS });
  expect(onPress.mock.calls.flat()).toEqual(['pay']);
});

test('neither press of a double click is handled after a shift, although the message about the first one changes the page (reliability abuse)', () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  const shifted = { pay: 150, without: 200 };
  rerender(<Buttons tops={shifted} />);
  onIgnored.mockImplementation(() => rerender(<Buttons tops={{ ...shifted, message: 0 }} />));
  const pressedAt = performance.now();
  click('pay', 170, { pressedAt });
  click('pay', 170, { pressedAt: pressedAt + UNREAD_MS - 50 });
  expect([onPress.mock.calls.flat(), onIgnored.mock.calls.length]).toEqual([[], 2]);
  click('pay', 170, { pressedAt: pressedAt + UNREAD_MS + 1 });
  expect(onPress.mock.calls.flat()).toEqual(['pay']);
});

test('what moves without a change of the page, as in an animation, does not let a click through that follows a shift (reliability abuse)', async () => {
  const tops = { ...BEFORE, message: 0 };
  const { rerender } = render(<Buttons tops={tops} />);
  const measured = vi.spyOn(document.documentElement, 'scrollHeight', 'get');
  rerender(<Buttons tops={{ ...tops, pay: 150, without: 200 }} />);
  const pressedAt = performance.now();
  await waitFor(() => expect(measured).toHaveBeenCalled());
  screen.getByRole('button', { name: 'message' }).getBoundingClientRect = () => new DOMRect(0, 10, 100, HEIGHT);
  click('pay', 170, { pressedAt });
  expect(onPress).not.toHaveBeenCalled();
});

test('a move that the browser has shown long before the click is not taken for a new one (reliability abuse)', async () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  const measured = vi.spyOn(document.documentElement, 'scrollHeight', 'get');
  rerender(<Buttons tops={{ pay: 150, without: 200 }} />);
  await waitFor(() => expect(measured).toHaveBeenCalled());
  click('pay', 170, { pressedAt: performance.now() + UNREAD_MS });
  expect(onPress.mock.calls.flat()).toEqual(['pay']);
});

test('a busy page ignores a click that was made before the layout shifted and is handled later (reliability abuse)', () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  const pressedAt = performance.now();
  rerender(<Buttons tops={{ pay: 150, without: 200 }} />);
  click('pay', 170, { pressedAt: pressedAt - 1000 });
  expect(onPress).not.toHaveBeenCalled();
});

test('what moves because the user scrolls is pressed at once, also if the page changes meanwhile (reliability abuse)', () => {
  const { rerender } = render(<Buttons tops={BEFORE} amount={1} />);
  scrollTo(50);
  rerender(<Buttons tops={BEFORE} amount={1} />);
  click('without', 120);
  expect(onPress.mock.calls.flat()).toEqual(['without']);
});

test('what a key of the user changes at once is not ignored, and what changes later is (reliability abuse)', async () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  fireEvent.keyDown(document.body, { key: 'Enter' });
  rerender(<Buttons tops={{ pay: 150, without: 200 }} />);
  await Promise.resolve();
  click('pay', 170);
  expect(onPress.mock.calls.flat()).toEqual(['pay']);
  await new Promise((resolve) => setTimeout(resolve));
  rerender(<Buttons tops={BEFORE} />);
  click('without', 170);
  expect(onPress.mock.calls.flat()).toEqual(['pay']);
});

test('an ignored click does not move the focus (reliability abuse)', () => {
  const { rerender } = render(<Buttons tops={BEFORE} />);
  rerender(<Buttons tops={{ pay: 150, without: 200 }} />);
  const pressed = createEvent.mouseDown(screen.getByRole('button', { name: 'pay' }), { clientX: 50, clientY: 170, detail: 1 });
  expect(fireEvent(screen.getByRole('button', { name: 'pay' }), pressed)).toBe(false);
});
