import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useSingleClicks } from './use-single-clicks.ts';

const onPress = vi.fn();
const onTooSoon = vi.fn();

beforeEach(() => {
  onPress.mockClear();
  onTooSoon.mockClear();
  // After a key, no click counts as the second one.
  fireEvent.keyDown(document.body, { key: 'Shift' });
});

function Counter({ mayRepeat = false }: { mayRepeat?: boolean }): ReactNode {
  useSingleClicks(mayRepeat, onTooSoon);
  return (
    <>
      <button onClick={() => onPress('open')}>Levy</button>
      <button onClick={() => onPress('pay')}>Pay</button>
      <button data-meaning={10_000} onClick={() => onPress('record')}>
        Record money
      </button>
    </>
  );
}

interface Click {
  readonly at: number;
  readonly x: number;
  readonly detail?: number;
  readonly pointerType?: 'mouse' | 'touch';
}

function click(name: string, { at, x, detail = 1, pointerType = 'touch' }: Click): void {
  const button = screen.getByRole('button', { name });
  const event = createEvent.click(button, { clientX: x, clientY: 0, detail });
  Object.defineProperties(event, { timeStamp: { value: 10_000 + at }, pointerType: { value: pointerType } });
  fireEvent(button, event);
}

test.each<[string, Click, string[]]>([
  ['shortly after the first at the same place is ignored', { at: 150, x: 8 }, ['open']],
  ['later at the same place presses the button', { at: 600, x: 8 }, ['open', 'pay']],
  ['shortly after the first at another place presses the button', { at: 150, x: 80 }, ['open', 'pay']],
  ['shortly after the first by a key presses the button', { at: 150, x: 0, detail: 0 }, ['open', 'pay']],
  ['of a mouse that the system counts as a second one is ignored', { at: 600, x: 8, detail: 2, pointerType: 'mouse' }, ['open']],
  ['of a mouse that the system counts as a new one beside the first is ignored', { at: 150, x: 8, pointerType: 'mouse' }, ['open']],
])('a second click %s (contract §14)', (_, second, pressed) => {
  render(<Counter />);
  click('Levy', { at: 0, x: 0 });
  click('Pay', second);
  expect(onPress.mock.calls.flat()).toEqual(pressed);
});

test.each<[string, string, Click, boolean]>([
  ['0.9 s after one at the same place does not press', 'Levy', { at: 900, x: 8 }, false],
  ['of a mouse 1.4 s after one at the same place does not press', 'Levy', { at: 1400, x: 8, pointerType: 'mouse' }, false],
  ['0.9 s after the last one does not press again', 'Record money', { at: 900, x: 8 }, false],
  ['of a mouse 1.4 s after the last one does not press again', 'Record money', { at: 1400, x: 8, pointerType: 'mouse' }, false],
  ['1.5 s after one at the same place presses', 'Levy', { at: 1500, x: 8 }, true],
  ['0.9 s after one at another place presses', 'Levy', { at: 900, x: 80 }, true],
  ['by a key after a click presses', 'Levy', { at: 900, x: 0, detail: 0 }, true],
])('a click %s a button that records money (reliability abuse)', (_, first, second, isPressed) => {
  render(<Counter mayRepeat />);
  click(first, { at: 0, x: 0 });
  onPress.mockClear();
  click('Record money', second);
  expect([onPress.mock.calls.flat(), onTooSoon.mock.calls.length]).toEqual(isPressed ? [['record'], 0] : [[], 1]);
});

test('a click 0.9 s after one at the same place presses a button that records money if the user has typed meanwhile (reliability abuse)', () => {
  render(<Counter />);
  click('Record money', { at: 0, x: 0 });
  fireEvent.input(document.body);
  click('Record money', { at: 900, x: 0 });
  expect(onPress.mock.calls.flat()).toEqual(['record', 'record']);
});

test.each([
  ['ignores it, too', false, ['open']],
  ['gets it with `mayRepeat`', true, ['open', 'open']],
])('a button that got the first click of a double click %s (contract §14)', (_, mayRepeat, pressed) => {
  render(<Counter mayRepeat={mayRepeat} />);
  click('Levy', { at: 0, x: 0 });
  click('Levy', { at: 100, x: 0 });
  expect(onPress.mock.calls.flat()).toEqual(pressed);
});

test('two clicks of a mouse on one button that the system counts separately are no double click (contract §14)', () => {
  render(<Counter />);
  for (const at of [0, 200]) click('Pay', { at, x: 0, pointerType: 'mouse' });
  expect(onPress.mock.calls.flat()).toEqual(['pay', 'pay']);
});

test('a click at the same place shortly after a key was pressed presses the button (contract §14)', () => {
  render(<Counter />);
  click('Pay', { at: 0, x: 0 });
  fireEvent.keyDown(document.body, { key: 'a' });
  click('Pay', { at: 150, x: 0 });
  expect(onPress.mock.calls.flat()).toEqual(['pay', 'pay']);
});

test('another button than that of the first click gets neither the second nor the third click of a triple click (reliability abuse)', () => {
  render(<Counter mayRepeat />);
  click('Levy', { at: 0, x: 0 });
  for (const at of [170, 340]) click('Pay', { at, x: 0 });
  expect(onPress.mock.calls.flat()).toEqual(['open']);
});

test('a question is not answered by the second click of the double click that has opened it (reliability abuse)', () => {
  const { rerender } = render(<button>Close till</button>);
  click('Close till', { at: 0, x: 0 });
  rerender(
    <ConfirmDialog title="Close the till?" confirmLabel="Close it" onConfirm={() => onPress('closed')}>
      The count differs from the expected amount.
    </ConfirmDialog>,
  );
  click('Close it', { at: 200, x: 0 });
  expect(onPress).not.toHaveBeenCalled();
  click('Close it', { at: 900, x: 0 });
  expect(onPress.mock.calls.flat()).toEqual(['closed']);
});
