import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { orderTotals } from '../../../domain/order.ts';
import { OrderBar } from './order-bar.tsx';

test('the save button closes the list of sums, which would cover the message about a missing pick-up time (contract §10, §16)', () => {
  const save = vi.fn();
  const button = (
    <button type="button" onClick={save}>
      Place Order
    </button>
  );
  render(<OrderBar items={1} hasEstimates={false} save={button} fees={[]} totals={orderTotals([], new Map(), [])} />);
  const total = screen.getByRole('button', { name: /^Total/ });
  fireEvent.click(total);
  expect(total.getAttribute('aria-expanded')).toBe('true');
  const placeOrder = screen.getByRole('button', { name: 'Place Order' });
  fireEvent.pointerDown(placeOrder);
  fireEvent.click(placeOrder);
  expect(total.getAttribute('aria-expanded')).toBe('false');
  expect(save).toHaveBeenCalledOnce();
});
