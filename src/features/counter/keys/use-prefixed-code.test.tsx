import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useRef, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useScanner } from './use-scanner.ts';

const onOrder = vi.fn();
const onLostWeight = vi.fn();
const onUnsettled = vi.fn();
const onUnknown = vi.fn();
const onTyped = vi.fn();
/** Called with each key that reaches a field or a button. */
const onKey = vi.fn();
const reach = ({ key }: { key: string }): void => void onKey(key);
const keys = { onKeyDown: reach, onKeyUp: reach };

function Counter(): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  useScanner({ search, onOrder, onLostWeight, onUnsettled, onUnknown, isFamily: () => true, onTyped });
  return (
    <form>
      <input {...keys} ref={search} aria-label="Find a family" />
      <input {...keys} aria-label="Brisket 1/1" id="11-0" />
      <input {...keys} aria-label="Lamb 1/1" id="12-0" readOnly />
      <button {...keys}>Pay</button>
    </form>
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  render(<Counter />);
});
afterEach(() => void vi.useRealTimers());

const labelled = (name: string): HTMLElement => (name === 'Pay' ? screen.getByRole('button') : screen.getByLabelText(name));
const calls = () => [onOrder, onUnknown, onLostWeight].map(({ mock }) => mock.calls.length);

type Key = string | { key: string; ctrlKey: boolean };

/** Presses and releases keys with a pause of a few milliseconds after each. Returns whether the browser does what each key normally does. */
function pressKeys(target: HTMLElement, keys: readonly Key[]): boolean[] {
  target.focus();
  return keys.map((pressed) => {
    const init = typeof pressed === 'string' ? { key: pressed } : pressed;
    const reached = (['keyDown', 'keyUp'] as const).map((type) => {
      const event = createEvent[type](target, init);
      Object.defineProperty(event, 'timeStamp', { value: performance.now() });
      return fireEvent(target, event);
    });
    vi.advanceTimersByTime(20);
    return reached.includes(true);
  });
}

const F8 = 'F8';
const STX = { key: 'b', ctrlKey: true };
const CODE = ['F', 'D', '1', ':', '5', '7', 'Enter'];
const none = (keys: readonly Key[]) => keys.map(() => false);

test.each([
  { prefix: F8, name: 'Pay' },
  { prefix: F8, name: 'Find a family' },
  { prefix: F8, name: 'Brisket 1/1' },
  { prefix: STX, name: 'Pay' },
])('the code of an order after a prefix opens the order, and none of its keys reaches "$name" (contract §14)', ({ prefix, name }) => {
  const keys = [prefix, ...CODE];
  expect(pressKeys(labelled(name), keys)).toEqual(none(keys));
  expect(onOrder).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect([onOrder.mock.calls, onKey.mock.calls]).toEqual([[[57]], []]);
});

test.each([
  { code: ['Tab', 'Enter', ' ', 'Enter'] },
  { code: [...CODE, '1', '2', '.', '5', 'Enter', 'Enter'] },
  { code: [{ key: 'z', ctrlKey: true }, 'Enter'] },
  { code: [F8, 'Enter'] },
  { code: ['5', '0', 'Enter'] },
])(
  'a code with Enter, Tab or Ctrl+Z after a prefix presses nothing, and a message says that the code is unknown (reliability abuse)',
  ({ code }) => {
    const keys = [F8, ...code];
    expect(pressKeys(labelled('Pay'), keys)).toEqual(none(keys));
    vi.advanceTimersByTime(100);
    expect([calls(), onKey.mock.calls]).toEqual([[0, 1, 0], []]);
  },
);

test.each([
  { name: 'Brisket 1/1', value: '2001001004873', lost: 0 },
  { name: 'Lamb 1/1', value: '', lost: 1 },
  { name: 'Pay', value: null, lost: 1 },
])('a weight label after a prefix is entered if a weight field has the focus: "$name" (contract §14)', ({ name, value, lost }) => {
  pressKeys(labelled(name), [F8, ...'2001001004873'.split(''), 'Enter']);
  vi.advanceTimersByTime(100);
  const target = labelled(name);
  expect([target instanceof HTMLInputElement ? target.value : null, calls()]).toEqual([value, [0, 0, lost]]);
  expect(onKey.mock.calls).toEqual(value === '2001001004873' ? [['Enter']] : []);
});

test.each([
  { what: 'before Enter', pause: 140, parts: [['F', 'D', '1', ':', '5', '7'], ['Enter']] },
  {
    what: 'in the code',
    pause: 460,
    parts: [
      ['F', 'D', '1', ':', '5'],
      ['7', 'Enter'],
    ],
  },
])(
  'a scanner that pauses for $pause ms $what still types one code, and none of its keys presses anything (contract §14)',
  ({ pause, parts }) => {
    pressKeys(labelled('Pay'), [F8]);
    for (const keys of parts) {
      vi.advanceTimersByTime(pause);
      expect(pressKeys(labelled('Pay'), keys)).toEqual(none(keys));
    }
    vi.advanceTimersByTime(100);
    expect([onOrder.mock.calls, onKey.mock.calls]).toEqual([[[57]], []]);
  },
);

test('a code without Enter ends half a second after its last key (contract §14)', () => {
  pressKeys(labelled('Pay'), [F8, ...CODE.slice(0, -1)]);
  vi.advanceTimersByTime(500);
  expect(onOrder.mock.calls).toEqual([[57]]);
});

test.each(['Enter', 'Tab', ' ', { key: 'z', ctrlKey: true }])(
  'the key %j that follows a code after a long pause presses nothing; half a second after the code, it does (reliability abuse)',
  (key) => {
    pressKeys(labelled('Pay'), [F8, ...CODE.slice(0, -1)]);
    vi.advanceTimersByTime(800);
    expect([onOrder.mock.calls, pressKeys(labelled('Pay'), [key])]).toEqual([[[57]], [false]]);
    expect(pressKeys(labelled('Brisket 1/1'), ['4'])).toEqual([true]);
    vi.advanceTimersByTime(200);
    expect(pressKeys(labelled('Pay'), [key])).toEqual([true]);
  },
);

test('a second prefix begins a new code, and the code before it is read (contract §14)', () => {
  const labels = ['2001001004873', '2001001003258'];
  pressKeys(labelled('Brisket 1/1'), [F8, ...CODE, ...labels.flatMap((label) => [F8, ...label.split('')])]);
  expect(labelled('Brisket 1/1')).toHaveProperty('value', labels[0]);
  vi.advanceTimersByTime(500);
  expect(labelled('Brisket 1/1')).toHaveProperty('value', labels[1]);
  expect(calls()).toEqual([1, 0, 0]);
});

test('F8 alone, which a person may press by mistake, says nothing', () => {
  pressKeys(labelled('Pay'), [F8]);
  vi.advanceTimersByTime(1500);
  expect([calls(), pressKeys(labelled('Pay'), ['Enter'])]).toEqual([[0, 0, 0], [true]]);
});
