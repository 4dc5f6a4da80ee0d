import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useDeliberateKey } from './use-deliberate-key.ts';

const onTooSoon = vi.fn();

function Pay({ isUnread = () => false }: { isUnread?: () => boolean }): ReactNode {
  return <button {...useDeliberateKey(isUnread, onTooSoon)}>Pay</button>;
}

const FOCUSED_AT = 10_000;

function focusedButton(isUnread?: () => boolean): HTMLElement {
  render(<Pay {...(isUnread && { isUnread })} />);
  const button = screen.getByRole('button');
  const focus = createEvent.focusIn(button);
  Object.defineProperty(focus, 'timeStamp', { value: FOCUSED_AT });
  fireEvent(button, focus);
  return button;
}

/** Returns whether the browser would press the button for a key pressed `after` milliseconds after the button got the focus. */
function pressesAtOnce(button: HTMLElement, init: { key: string; after: number; repeat?: boolean }): boolean {
  const down = createEvent.keyDown(button, init);
  Object.defineProperty(down, 'timeStamp', { value: FOCUSED_AT + init.after });
  return fireEvent(button, down);
}

test.each([
  { key: 'Enter', after: 150, pressed: false },
  { key: 'Enter', after: -20, pressed: false },
  { key: ' ', after: 299, pressed: false },
  { key: 'Enter', after: 300, pressed: true },
  { key: 'Enter', after: 2000, repeat: true, pressed: false },
  { key: 'Tab', after: 10, pressed: true },
])(
  'the Enter or space key presses the pay button only if it is not held down and not pressed right after the focus has moved there: %j (contract §14)',
  ({ pressed, ...press }) => {
    expect(pressesAtOnce(focusedButton(), press)).toBe(pressed);
  },
);

test.each([
  ['presses the pay button if no other key follows', [' '], 1],
  ['does not press the pay button if it begins a scanned code', [' ', 'F', 'D'], 0],
  ['does not press the pay button if another listener keeps the next key from the button', [' ', 'Escape'], 0],
])('the space key %s (contract §14)', (_, keys, presses) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const button = focusedButton();
  const onClick = vi.fn();
  button.addEventListener('click', onClick);
  const stopEscape = (event: KeyboardEvent): void => void (event.key === 'Escape' && event.stopPropagation());
  document.addEventListener('keydown', stopEscape, { capture: true });
  onTestFinished(() => document.removeEventListener('keydown', stopEscape, { capture: true }));
  for (const key of keys) {
    // Without preventDefault, a browser presses the button at once.
    const isPressedAtOnce = pressesAtOnce(button, { key, after: 400 });
    expect(isPressedAtOnce).toBe(key !== ' ');
    fireEvent.keyUp(button, { key });
  }
  vi.advanceTimersByTime(1000);
  expect(onClick).toHaveBeenCalledTimes(presses);
});

test('one deliberate Enter after an ignored Enter presses the pay button', () => {
  const button = focusedButton();
  expect([150, 600].map((after) => pressesAtOnce(button, { key: 'Enter', after }))).toEqual([false, true]);
});

test.each([
  { key: 'Enter', after: 150, calls: 1 },
  { key: ' ', after: 150, calls: 1 },
  { key: 'Enter', after: 150, repeat: true, calls: 0 },
  { key: 'Enter', after: 600, calls: 0 },
  { key: 'x', after: 150, calls: 0 },
])(
  'the pay button says that it has ignored a key because it had just got the focus, and not more: %j (reliability abuse)',
  ({ calls, ...press }) => {
    onTooSoon.mockClear();
    pressesAtOnce(focusedButton(), press);
    expect(onTooSoon).toHaveBeenCalledTimes(calls);
  },
);

test('Enter presses the pay button at once when the user has moved to it with Tab', () => {
  const button = focusedButton();
  fireEvent.keyUp(button, { key: 'Tab' });
  expect(pressesAtOnce(button, { key: 'Enter', after: 100 })).toBe(true);
});

test('neither Enter nor a space that was pressed before presses the pay button while its amount cannot have been read (reliability abuse)', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isUnread = false;
  const button = focusedButton(() => isUnread);
  const onClick = vi.fn();
  button.addEventListener('click', onClick);
  pressesAtOnce(button, { key: ' ', after: 400 });
  isUnread = true;
  vi.advanceTimersByTime(1000);
  expect([pressesAtOnce(button, { key: 'Enter', after: 2000 }), onClick.mock.calls]).toEqual([false, []]);
});
