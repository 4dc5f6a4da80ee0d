import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { QuantityInput } from './quantity-input.tsx';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function Brisket({ start, max }: { start: number; max: number }): ReactNode {
  const [quantity, setQuantity] = useState(start);
  const clamp = (text: string): number => Math.min(max === 0 ? Infinity : max, Math.max(0, Math.trunc(Number(text)) || 0));
  return <QuantityInput label="Brisket" value={quantity} max={max} onText={(text) => setQuantity(clamp(text))} />;
}

const field = (): HTMLInputElement => screen.getByRole('spinbutton', { name: 'Quantity of Brisket' });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });

test('the plus and minus buttons change the quantity by one, and the minus button stops at zero', () => {
  render(<Brisket start={1} max={0} />);
  fireEvent.click(button('More Brisket'));
  expect(field().value).toBe('2');
  for (let clicks = 0; clicks < 4; clicks++) fireEvent.click(button('Less Brisket'));
  expect(field().value).toBe('0');
  expect(button('Less Brisket').getAttribute('aria-disabled')).toBe('true');
});

test('the quantity input disables the plus button at the maximum, and says why', () => {
  render(<Brisket start={2} max={3} />);
  fireEvent.click(button('More Brisket'));
  fireEvent.click(button('More Brisket'));
  expect(field().value).toBe('3');
  expect(button('More Brisket').getAttribute('aria-disabled')).toBe('true');
  expect(button('More Brisket').title).toBe('max: 3');
  expect(screen.getByText('That is the maximum')).toBeTruthy();
});

test('the quantity input limits a typed quantity to the maximum at once; an emptied field counts as 0 and stays empty while it has the focus (spec §5)', () => {
  render(<Brisket start={2} max={3} />);
  fireEvent.change(field(), { target: { value: '9' } });
  expect(field().value).toBe('3');
  fireEvent.change(field(), { target: { value: '' } });
  expect(field().value).toBe('');
  expect(button('Less Brisket').getAttribute('aria-disabled')).toBe('true');
  fireEvent.blur(field());
  expect(field().value).toBe('0');
});

test('the quantity input keeps text that is not a plain number until the field loses the focus', () => {
  render(<Brisket start={0} max={0} />);
  for (const typed of ['2', '2.', '2.7']) {
    fireEvent.change(field(), { target: { value: typed } });
    expect(field().value).toBe(typed);
  }
  fireEvent.blur(field());
  expect(field().value).toBe('2');
});

test('the quantity input adds units repeatedly while the plus button is held down, and adds no further unit for the click event when it is released', () => {
  vi.useFakeTimers();
  render(<Brisket start={0} max={0} />);
  fireEvent.pointerDown(button('More Brisket'), { button: 0 });
  for (let steps = 0; steps < 10; steps++) act(() => void vi.advanceTimersByTime(90));
  fireEvent.pointerUp(button('More Brisket'));
  const reached = Number(field().value);
  expect(reached).toBe(6);
  fireEvent.click(button('More Brisket'));
  expect(Number(field().value)).toBe(reached);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(Number(field().value)).toBe(reached);
});

test('the quantity input puts each quantity field into a form of its own, so that browser autofill reads only one field at each key press; the form is never submitted', () => {
  render([<Brisket key={1} start={0} max={0} />, <Brisket key={2} start={0} max={0} />]);
  const forms = screen.getAllByRole<HTMLInputElement>('spinbutton').map((input) => input.form);
  expect(new Set(forms).size).toBe(2);
  expect(forms.map((form) => form && fireEvent.submit(form))).toEqual([false, false]);
});

test('the quantity input exposes the quantity as a spinbutton with its value and limits, and changes it with the arrow keys (spec §2)', () => {
  render(<Brisket start={2} max={3} />);
  const limits = (): (string | null)[] =>
    ['aria-valuenow', 'aria-valuemin', 'aria-valuemax', 'aria-valuetext'].map((name) => field().getAttribute(name));
  expect(limits()).toEqual(['2', '0', '3', null]);
  for (const [key, value] of [
    ['ArrowUp', '3'],
    ['ArrowUp', '3'],
    ['ArrowDown', '2'],
    ['ArrowDown', '1'],
    ['ArrowDown', '0'],
    ['ArrowDown', '0'],
  ] as const) {
    fireEvent.keyDown(field(), { key });
    expect(field().value).toBe(value);
  }
  fireEvent.change(field(), { target: { value: '' } });
  expect(limits()).toEqual([null, '0', '3', 'empty']);
  cleanup();
  render(<Brisket start={2} max={0} />);
  expect(limits()).toEqual(['2', '0', null, null]);
});
