import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDeliberateKey } from './use-deliberate-key.ts';

const onPress = vi.fn();

function Pay(): ReactNode {
  return (
    <button {...useDeliberateKey()} onClick={onPress}>
      Pay
    </button>
  );
}

const FOCUSED_AT = 10_000;

function focusedButton(): HTMLElement {
  render(<Pay />);
  const button = screen.getByRole('button');
  const focus = createEvent.focusIn(button);
  Object.defineProperty(focus, 'timeStamp', { value: FOCUSED_AT });
  fireEvent(button, focus);
  return button;
}

interface Press {
  readonly key: string;
  readonly after: number;
  readonly repeat?: boolean;
}
/** Presses a key this many milliseconds after the button got the focus. Returns whether a browser would press the button at once. */
function press(button: HTMLElement, init: Press): boolean {
  const at = { value: FOCUSED_AT + init.after };
  const [down, up] = [createEvent.keyDown(button, init), createEvent.keyUp(button, init)];
  for (const event of [down, up]) Object.defineProperty(event, 'timeStamp', at);
  const isPressed = fireEvent(button, down);
  fireEvent(button, up);
  return isPressed;
}
/** Returns how often the button is pressed in the next second. */
function presses(): number {
  vi.advanceTimersByTime(1000);
  return onPress.mock.calls.length;
}

beforeEach(() => {
  vi.useFakeTimers();
  onPress.mockClear();
});
afterEach(() => void vi.useRealTimers());

test.each([
  { key: 'Enter', after: 150, pressed: 0 },
  { key: 'Enter', after: -20, pressed: 0 },
  { key: ' ', after: 299, pressed: 0 },
  { key: 'Enter', after: 300, pressed: 1 },
  { key: ' ', after: 300, pressed: 1 },
  { key: 'Enter', after: 2000, repeat: true, pressed: 0 },
])(
  'the Enter or space key presses the pay button only if it is not held down and not pressed right after the focus has moved there: %j (contract §14)',
  ({ pressed, ...init }) => {
    expect(press(focusedButton(), init)).toBe(false);
    expect(presses()).toBe(pressed);
  },
);

test('one deliberate Enter after an ignored Enter presses the pay button', () => {
  const button = focusedButton();
  for (const after of [150, 600]) press(button, { key: 'Enter', after });
  expect(presses()).toBe(1);
});

test.each([
  ['at once', 100, 1],
  ['within some milliseconds, as a scanner does,', 20, 0],
])('when the user has moved to the pay button with Tab, Enter %s presses it after %i ms this often: %i', (_, wait, pressed) => {
  const button = focusedButton();
  press(button, { key: 'Tab', after: 1 });
  press(button, { key: 'Enter', after: 1 + wait });
  expect(presses()).toBe(pressed);
});

test.each(['Enter', ' '])(
  'the key %j that begins a scanned code does not press the pay button (contract §14; reliability abuse)',
  (key) => {
    const button = focusedButton();
    press(button, { key, after: 400 });
    vi.advanceTimersByTime(20);
    press(button, { key: 'F', after: 420 });
    expect(presses()).toBe(0);
  },
);

test('a key that another listener keeps from the pay button also shows that the space key before it began a code (reliability abuse)', () => {
  const stop = (event: KeyboardEvent): void => void (event.key === 'Escape' && event.stopPropagation());
  document.addEventListener('keydown', stop, { capture: true });
  const button = focusedButton();
  press(button, { key: ' ', after: 400 });
  press(button, { key: 'Escape', after: 420 });
  document.removeEventListener('keydown', stop, { capture: true });
  expect(presses()).toBe(0);
});
