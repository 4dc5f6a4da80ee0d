import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TotalAnnouncer } from './total-announcer.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const said = (): string | null => screen.getByRole('status').textContent;
const pass = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));

test('TotalAnnouncer announces the latest total to screen readers at most once a second, and does not announce the first total', () => {
  const { rerender } = render(<TotalAnnouncer text="Total $1.00" />);
  pass(2_000);
  expect(said()).toBe('');
  rerender(<TotalAnnouncer text="Total $2.00" />);
  pass(600);
  rerender(<TotalAnnouncer text="Total $3.00" />);
  expect(said()).toBe('');
  pass(400);
  expect(said()).toBe('Total $3.00');
  rerender(<TotalAnnouncer text="Total $4.00" />);
  pass(900);
  expect(said()).toBe('Total $3.00');
  pass(100);
  expect(said()).toBe('Total $4.00');
});
