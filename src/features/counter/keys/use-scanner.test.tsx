import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { useScanner } from './use-scanner.ts';

const onPay = vi.fn();
const onOrder = vi.fn();
const onLostWeight = vi.fn();
const onUnsettled = vi.fn();
const onUnknown = vi.fn();
const onTyped = vi.fn();

const enter = ({ key }: { key: string }): void => void (key === 'Enter' && onPay());

function Counter(): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState('');
  useScanner({ search, onOrder, onLostWeight, onUnsettled, onUnknown, isFamily: () => true, onTyped });
  return (
    <form>
      <input ref={search} aria-label="Find a family" />
      <input onKeyDown={enter} aria-label="Cash given" value={given} onChange={(event) => setGiven(event.target.value)} />
      <input onKeyDown={enter} aria-label="Amount" type="number" defaultValue="100" />
      <input onKeyDown={enter} aria-label="Cash" type="radio" value="Cash" />
      <input onKeyDown={enter} aria-label="Brisket 1/1" id="11-0" />
      <button onKeyDown={enter}>Pay</button>
    </form>
  );
}

/**
 * Types a code and Enter as a scanner does, or with a pause before each key as a person does. A number field drops everything but digits, as
 * in a browser. Returns the time of the Enter.
 */
function scan(target: HTMLElement, code: string, pause = 1, now = performance.now()): number {
  const press = (key: string, index: number): boolean => {
    const event = createEvent.keyDown(target, { key });
    Object.defineProperty(event, 'timeStamp', { value: now + index * pause });
    return fireEvent(target, event);
  };
  for (const [index, key] of code.split('').entries()) {
    const isDropped =
      !press(key, index) ||
      !(target instanceof HTMLInputElement) ||
      target.type === 'radio' ||
      (target.type === 'number' && !/\d/.test(key));
    if (!isDropped) fireEvent.input(target, { target: { value: target.value + key } });
  }
  press('Enter', code.length);
  return now + code.length * pause;
}

test.each<{ name: string; before: string; code: string; order: number | null }>([
  { name: 'Cash given', before: '', code: '2001001004873', order: null },
  { name: 'Cash given', before: '50', code: 'FD1:57', order: 57 },
  { name: 'Cash given', before: '50', code: '2001001004873', order: null },
  { name: 'Amount', before: '100', code: 'FD1:57', order: 57 },
  { name: 'Cash', before: 'Cash', code: 'FD1:57', order: 57 },
  { name: 'Brisket 1/1', before: '4.5', code: 'FD1:57', order: 57 },
])(
  'scanning the code $code into the field "$name" with the value "$before" does not pay, and leaves the field unchanged (contract §14)',
  (scanned) => {
    vi.clearAllMocks();
    render(<Counter />);
    const field = screen.getByLabelText<HTMLInputElement>(scanned.name);
    if (field.value !== scanned.before) fireEvent.input(field, { target: { value: scanned.before } });
    scan(field, scanned.code);
    expect(onPay).not.toHaveBeenCalled();
    expect(field.value).toBe(scanned.before);
    expect(onOrder.mock.calls).toEqual(scanned.order === null ? [] : [[scanned.order]]);
    expect(onLostWeight).toHaveBeenCalledTimes(scanned.order === null ? 1 : 0);
    expect(onUnknown).not.toHaveBeenCalled();
  },
);

test('the form receives the Enter key when a person presses it, and when it ends a weight that is scanned into a weight field (contract §14)', () => {
  vi.clearAllMocks();
  render(<Counter />);
  scan(screen.getByLabelText<HTMLInputElement>('Cash given'), '50');
  scan(screen.getByLabelText<HTMLInputElement>('Brisket 1/1'), '2001001004873');
  expect(onPay).toHaveBeenCalledTimes(2);
  expect(onLostWeight).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLInputElement>('Brisket 1/1').value).toBe('2001001004873');
});

test.each(['Cash given', 'Amount', 'Cash', 'Pay'])(
  'scanning a code that is neither of an order nor of a weight at "%s" does not pay, and leaves a field unchanged (contract §14)',
  (name) => {
    vi.clearAllMocks();
    render(<Counter />);
    const target = name === 'Pay' ? screen.getByRole('button') : screen.getByLabelText(name);
    const valueOf = () => (target instanceof HTMLInputElement ? target.value : null);
    const before = valueOf();
    const end = scan(target, '4006381333931');
    pressAt(target, 'Enter', end + 10);
    expect([onPay, onOrder, onLostWeight, onUnknown].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 1]);
    expect(valueOf()).toBe(before);
  },
);

test('a long number that a person types into a field, and one that a scale types into a weight field, are entered (contract §14)', () => {
  vi.clearAllMocks();
  render(<Counter />);
  scan(screen.getByLabelText('Cash given'), '1234567', 100);
  scan(screen.getByLabelText('Brisket 1/1'), '12.345');
  expect([onPay, onUnknown].map(({ mock }) => mock.calls.length)).toEqual([2, 0]);
});

test('an amount with cents is entered, however fast it was typed (contract §14)', () => {
  vi.clearAllMocks();
  render(<Counter />);
  scan(screen.getByLabelText('Cash given'), '1000.00');
  expect([onPay, onUnknown].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

/** Presses a key at this time. Returns whether the browser does what the key normally does. */
function pressAt(target: HTMLElement, key: string, at: number): boolean {
  const event = createEvent.keyDown(target, { key });
  Object.defineProperty(event, 'timeStamp', { value: at });
  return fireEvent(target, event);
}

test('Tab that follows Enter as fast as in a scanned code does not move the focus (reliability abuse)', () => {
  render(<Counter />);
  const field = screen.getByLabelText('Cash given');
  pressAt(field, 'Enter', 10_000);
  expect([10_025, 10_400].map((at) => pressAt(field, 'Tab', at))).toEqual([false, true]);
});

test.each([
  ['an unknown code', 'Cash given', '4006381333931', [1, 0]],
  ['an unknown code', 'Pay', 'BEGIN:VCARD', [1, 0]],
  ['a weight label outside of a weight field', 'Pay', '2001001004873', [0, 1]],
])(
  'the keys that a scanner types after the Enter of %s at "%s" are ignored, and those of a person are not (reliability abuse)',
  (_, name, code, messages) => {
    vi.clearAllMocks();
    render(<Counter />);
    const target = name === 'Pay' ? screen.getByRole('button') : screen.getByLabelText(name);
    const end = scan(target, code);
    const keys = ['Enter', '4', 'z', 'Enter', 'Enter', 'x'];
    expect(keys.map((key, index) => pressAt(target, key, end + 10 * (index + 1)))).toEqual(keys.map(() => false));
    expect(onPay).not.toHaveBeenCalled();
    expect(pressAt(target, 'Enter', end + 500)).toBe(true);
    expect([onPay, onUnknown, onLostWeight, onOrder].map(({ mock }) => mock.calls.length)).toEqual([1, ...messages, 0]);
  },
);

test('an order code and a weight label that follow an unknown code at once are read (contract §14)', () => {
  vi.clearAllMocks();
  render(<Counter />);
  const field = screen.getByLabelText<HTMLInputElement>('Brisket 1/1');
  for (const code of ['FD1:57', '2001001004873']) {
    const end = scan(screen.getByRole('button'), '4006381333931');
    scan(field, code, 1, end + 10);
  }
  expect([onOrder.mock.calls, onUnknown.mock.calls.length]).toEqual([[[57]], 2]);
  expect([field.value, onPay.mock.calls.length]).toEqual(['2001001004873', 1]);
});

test.each(['Pay', 'Cash'])(
  'a name that a person types at "%s", however slowly, is not forgotten: neither a space in it nor Enter after it pays (reliability abuse)',
  (name) => {
    vi.clearAllMocks();
    render(<Counter />);
    const target = name === 'Pay' ? screen.getByRole('button') : screen.getByLabelText(name);
    const keys = ['C', 'o', 'Shift', 'h', ' ', 'R', 'Enter', 'Enter'];
    const pressed = keys.map((key, index) => pressAt(target, key, 10_000 + 1500 * index));
    expect(keys.filter((_, index) => !pressed[index])).toEqual([' ', 'Enter']);
    expect([onPay.mock.calls.length, onUnknown.mock.calls, onTyped.mock.calls]).toEqual([1, [], [['Coh R', false]]]);
  },
);

test.each([
  ['a space that has pressed it', [{ key: ' ' }]],
  ['a shortcut', [{ key: 'z', ctrlKey: true }]],
  ['a shortcut with Alt', [{ key: 'f', altKey: true }]],
  ['a letter that Backspace has deleted', [{ key: 'C' }, { key: 'Backspace' }]],
  ['a name that Escape has deleted', [{ key: 'C' }, { key: 'o' }, { key: 'Escape' }]],
  ['text that is typed there before another field gets a key', [{ key: 'C' }, { key: '5', place: 'Cash given' }]],
  ['text that is typed there before the search gets a key', [{ key: 'C' }, { key: '5', place: 'Find a family' }]],
])('Enter on the pay button long after %s pays (contract §14)', (_, keys) => {
  vi.clearAllMocks();
  render(<Counter />);
  const button = screen.getByRole('button');
  const presses: readonly { key: string; ctrlKey?: boolean; altKey?: boolean; place?: string }[] = [...keys, { key: 'Enter' }];
  for (const [index, { place, ...init }] of presses.entries()) {
    const target = place === undefined ? button : screen.getByLabelText(place);
    const event = createEvent.keyDown(target, init);
    Object.defineProperty(event, 'timeStamp', { value: 10_000 + 1500 * index });
    fireEvent(target, event);
  }
  expect([onPay, onUnknown].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

test.each([
  { text: 'Becker', place: 'Pay', next: 'Find a family' },
  { text: '4006381333931', place: 'Pay', next: 'Find a family' },
  { text: '2001001004873', place: 'Pay', next: 'Pay' },
  { text: ' ', place: 'Pay', next: 'Pay' },
  { text: '4006381333931', place: 'Cash given', next: 'Cash given' },
])(
  'after "$text" and Enter at "$place", the focus is in "$next", so that weights typed after a name reach neither a button nor a field (reliability abuse)',
  ({ text, place, next }) => {
    vi.clearAllMocks();
    render(<Counter />);
    const labelled = (name: string) => (name === 'Pay' ? screen.getByRole('button') : screen.getByLabelText(name));
    labelled(place).focus();
    scan(labelled(place), text);
    expect(document.activeElement).toBe(labelled(next));
    expect(onPay).not.toHaveBeenCalled();
  },
);
