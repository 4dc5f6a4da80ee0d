import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { Repriced } from './contract.ts';
import { RepriceDialog } from './reprice-dialog.tsx';

const orders = { count: 1, customers: [{ firstName: 'Rivka', lastName: 'Abramov', email: null }] };
const CURRENT: Repriced = {
  orders,
  paid: { count: 0, customers: [] },
  products: { count: 2, names: ['Brisket', 'Chuck'] },
  units: 3,
  before: cents(3000),
  after: cents(3300),
};
const { products: _, ...previous } = CURRENT;

test.each([
  {
    server: 'this version',
    repriced: CURRENT,
    question: 'Change the prices of 2 ordered products?',
    terms: ['Products', 'Orders of', 'Together'],
  },
  {
    server: 'the previous version, which names no products',
    repriced: previous as Repriced,
    question: 'Change the prices of ordered products?',
    terms: ['Orders of', 'Together'],
  },
])(
  'before prices of ordered products change, the dialog asks for a confirmation with the counts from a server of $server',
  ({ repriced, question, terms }) => {
    const answer = (): void => undefined;
    render(<RepriceDialog question={{ pending: { repriced }, answer } as unknown as Parameters<typeof RepriceDialog>[0]['question']} />);
    expect(screen.getByRole('alertdialog', { name: question }).textContent).toContain('This re-prices 1 order, not paid yet.');
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(terms);
  },
);
