import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { UNREAD_MS } from '../../../client/hooks/use-unread.ts';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import type { CounterOrder } from '../contract.ts';
import { familiesOf } from './find-families.ts';
import { useFamilySearch } from './use-family-search.ts';

const order = (id: number, lastName: string, phone: string | null = null): CounterOrder => ({
  id,
  customerId: id,
  firstName: 'Rivka',
  lastName,
  phone,
  email: null,
  note: null,
  slot: null,
  pickedUpAt: null,
  lines: [{ orderProductId: id, productId: 1, quantity: 1, actuals: [] }],
  payments: [],
});
const families = familiesOf([order(5, 'Zadok'), order(12, 'Becker'), order(120, 'Abramov'), order(1512, 'Cohen', '(718) 555-1200')]);
const onOpen = vi.fn<(orderId: number) => void>();

function Search({ openOrder }: { openOrder: number | null }): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const [text, onText] = useState('');
  const { type, enter, onKeyDown } = useFamilySearch({ search, families, openOrder, text, onText, onOpen });
  return (
    <div onKeyDownCapture={onKeyDown}>
      <SearchField label="Find a family" value={text} onValue={type} onEnter={enter} fieldRef={search} />
    </div>
  );
}

/** Renders the search. The returned function presses a key so many milliseconds after the earlier ones. */
function openSearch(openOrder: number | null = 120) {
  onOpen.mockClear();
  render(<Search openOrder={openOrder} />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  field.focus();
  const press = (key: string, after = UNREAD_MS): void => {
    const event = createEvent.keyDown(field, { key });
    Object.defineProperty(event, 'timeStamp', { value: performance.now() + after });
    fireEvent(field, event);
  };
  const enter = (text: string): void => {
    for (const key of text) press(key);
    fireEvent.change(field, { target: { value: text } });
    press('Enter');
  };
  return { field, press, enter, opened: () => onOpen.mock.calls.flat() };
}

test.each([
  ['#5', 5],
  // Without its number sign, this number could be a weight. Abramov's order 120 comes first in the alphabet.
  ['#12', 12],
])('Enter after the order number %s opens the order (contract §14)', (text, orderId) => {
  const { enter, opened } = openSearch();
  enter(text);
  expect(opened()).toEqual([orderId]);
});

/** Numbers that could be a weight or an amount, and the orders that they find. 1200 is the end of a phone number. */
const shortNumbers = [
  { number: '12', orderId: 12 },
  { number: '1512', orderId: 1512 },
  { number: '1200', orderId: 1512 },
];

test.each(shortNumbers)('while no family is open, Enter after the number $number opens the order $orderId (contract §14)', (short) => {
  const { enter, opened } = openSearch(null);
  enter(short.number);
  expect(opened()).toEqual([short.orderId]);
});

test.each(shortNumbers)(
  'while a family is open, the number $number opens the order $orderId only with a second Enter, which does not follow at once (reliability abuse)',
  ({ number, orderId }) => {
    const { enter, press, opened, field } = openSearch();
    enter(number);
    expect([opened(), field.selectionStart, field.selectionEnd]).toEqual([[], 0, number.length]);
    press('Enter', 50);
    expect(opened()).toEqual([]);
    enter(number);
    expect(opened()).toEqual([]);
    press('Enter');
    expect(opened()).toEqual([orderId]);
  },
);

test.each<{ what: string; type: (search: ReturnType<typeof openSearch>) => void }>([
  { what: 'an Enter that follows at once, as after a scanned weight', type: ({ press }) => press('Enter', 50) },
  { what: 'the same weight, typed over the first one', type: ({ enter }) => enter('5') },
  { what: 'another weight that is an order number', type: ({ enter }) => enter('12') },
])('after a weight that is an order number, $what opens no family (reliability abuse)', ({ type }) => {
  const search = openSearch();
  search.enter('5');
  type(search);
  expect(search.opened()).toEqual([]);
});
