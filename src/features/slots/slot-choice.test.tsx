import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SlotChoice } from './slot-choice.tsx';

test('when the pick-up time is missing, the first one that can be chosen gets the focus, and the message below a long list is scrolled into view at each attempt (contract §16)', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  const slot = { startsAt: '2027-04-18T13:00:00.000Z', capacity: 2 };
  const slots = [
    { ...slot, id: 1, label: 'Sunday morning', taken: 2 },
    { ...slot, id: 2, label: 'Sunday noon', taken: 0 },
  ];
  const choice = { slots, value: null, saved: null, timeZone: null, onValue: () => undefined };
  const { rerender } = render(<SlotChoice {...choice} />);
  rerender(<SlotChoice {...choice} error="Choose a pick-up time." />);
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /Sunday noon/ }));
  const message = screen.getByText('Choose a pick-up time.');
  expect(scrolled.mock.contexts).toEqual([message]);
  rerender(<SlotChoice {...choice} error="Choose a pick-up time." misses={2} />);
  expect(scrolled.mock.contexts).toEqual([message, message]);
});
