import { cleanup, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import type { CustomerReportRow } from '../contract.ts';
import { CustomerViews, inView } from './customer-views.tsx';
import { OrderProgress, progressOf } from './order-progress.tsx';

const rowOf = (customer_id: number, orderAmount: number, balance: number): CustomerReportRow => ({
  customer_id,
  email: `family${customer_id}@test.example`,
  first_name: null,
  last_name: null,
  phone: null,
  order_id: customer_id,
  order_quantity_count: 1,
  expected_count: 0,
  actual_count: 0,
  unconfirmed_count: 0,
  has_all_actuals: true,
  orderAmount: cents(orderAmount),
  balance: cents(balance),
});
const due = [rowOf(1, 20_000, 15_000), rowOf(2, 10_000, 0)];
const refunds = [...due, rowOf(3, 10_000, -310)];

function tabOf(rows: readonly CustomerReportRow[]): string {
  render(
    <>
      <OrderProgress progress={progressOf(rows)} />
      <CustomerViews rows={rows} view="all" onView={() => undefined} />
    </>,
  );
  return document.body.textContent;
}

test('the Customers tab shows the refunds due and the remaining balances in addition to the paid amounts (spec §2)', () => {
  expect(tabOf(refunds)).toContain('$253.10 paid of $400.00$150.00 still due · $3.10 to refund');
  expect(screen.getByRole('button', { name: 'Refund due 1' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Not paid 1' })).toBeTruthy();
  expect(inView(refunds, 'refund-due').map((row) => row.customer_id)).toEqual([3]);
});

test('a screen reader reads each summary card above the customers as one sentence, without the progress bar of the card', () => {
  tabOf(due);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('link', { name: '2 out of 2 orders placed' })).toBeTruthy();
  expect(screen.getByRole('link', { name: '$150.00 paid of $300.00' })).toBeTruthy();
});

test('the Customers tab shows no line for refunds when no refund is due (spec §2)', () => {
  const text = tabOf(due);
  expect(text).toContain('$150.00 paid of $300.00');
  expect(text).not.toMatch(/refund|still due/i);
});

test('after the first order is marked as picked up, the Customers tab offers a filter for orders that are not picked up, and counts the picked-up orders (contract §14)', () => {
  expect(tabOf(due)).not.toMatch(/picked up/i);
  cleanup();
  const marked = [...due.slice(1), { ...rowOf(4, 100, 0), pickedUpAt: '2027-04-01T12:00:00.000Z' }];
  expect(tabOf(marked)).toContain('1 picked up');
  expect(screen.getByRole('button', { name: 'Not picked up 1' })).toBeTruthy();
  expect(inView(marked, 'not-picked-up').map((row) => row.customer_id)).toEqual([2]);
});
