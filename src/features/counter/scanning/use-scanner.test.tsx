import { fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { useScanner } from './use-scanner.ts';

const onPay = vi.fn();
const onOrder = vi.fn();
const onLostWeight = vi.fn();

const enter = ({ key }: { key: string }): void => void (key === 'Enter' && onPay());

function Counter(): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState('');
  useScanner({ search, onOrder, onLostWeight });
  return (
    <form>
      <input onKeyDown={enter} aria-label="Cash given" value={given} onChange={(event) => setGiven(event.target.value)} />
      <input onKeyDown={enter} aria-label="Amount" type="number" defaultValue="100" />
      <input onKeyDown={enter} aria-label="Cash" type="radio" value="Cash" />
      <input onKeyDown={enter} aria-label="Brisket 1/1" id="11-0" />
    </form>
  );
}

/** Types a code as a scanner does, into a field that drops everything but digits as a number field in a browser does. */
function scan(field: HTMLInputElement, code: string): void {
  for (const key of code) {
    fireEvent.keyDown(field, { key });
    if (field.type !== 'radio' && (field.type !== 'number' || /\d/.test(key)))
      fireEvent.input(field, { target: { value: field.value + key } });
  }
  fireEvent.keyDown(field, { key: 'Enter' });
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
