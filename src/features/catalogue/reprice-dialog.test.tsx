import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Repriced } from './contract.ts';
import { RepriceDialog } from './reprice-dialog.tsx';

const orders = { count: 1, customers: [{ firstName: 'Rivka', lastName: 'Abramov', email: null }] };
const repriced: Repriced = {
  orders,
  paid: { count: 0, customers: [] },
  products: { count: 2, names: ['Brisket', 'Chuck'] },
  units: 3,
  before: cents(3000),
  after: cents(3300),
};

test('before prices of ordered products change, the dialog asks for a confirmation with the counts', () => {
  const question = { pending: { repriced }, answer: (): void => undefined };
  render(<RepriceDialog question={question} />);
  const dialog = screen.getByRole('alertdialog', { name: 'Change the prices of 2 ordered products?' });
  expect(dialog.textContent).toContain('This re-prices 1 order, not paid yet.');
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Products', 'Orders of', 'Together']);
});
