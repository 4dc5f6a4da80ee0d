import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useDeliberateKey } from './use-deliberate-key.ts';

function Pay(): ReactNode {
  return <button {...useDeliberateKey()}>Pay</button>;
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

/** Returns whether the browser would press the button for a key pressed `after` milliseconds after the button got the focus. */
function presses(button: HTMLElement, init: { key: string; after: number; repeat?: boolean }): boolean {
  const down = createEvent.keyDown(button, init);
  Object.defineProperty(down, 'timeStamp', { value: FOCUSED_AT + init.after });
  return fireEvent(button, down);
}

test.each([
  { key: 'Enter', after: 150, pressed: false },
  { key: 'Enter', after: -20, pressed: false },
  { key: ' ', after: 299, pressed: false },
  { key: 'Enter', after: 300, pressed: true },
  { key: ' ', after: 300, pressed: true },
  { key: 'Enter', after: 2000, repeat: true, pressed: false },
  { key: 'Tab', after: 10, pressed: true },
])(
  'the Enter or space key presses the pay button only if it is not held down and not pressed right after the focus has moved there: %j (contract §14)',
  ({ pressed, ...press }) => {
    expect(presses(focusedButton(), press)).toBe(pressed);
  },
);

test('one deliberate Enter after an ignored Enter presses the pay button', () => {
  const button = focusedButton();
  expect([150, 600].map((after) => presses(button, { key: 'Enter', after }))).toEqual([false, true]);
});

test('Enter presses the pay button at once when the user has moved to it with Tab', () => {
  const button = focusedButton();
  fireEvent.keyUp(button, { key: 'Tab' });
  expect(presses(button, { key: 'Enter', after: 100 })).toBe(true);
});
