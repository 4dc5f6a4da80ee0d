import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { freshDevice } from '../../../test/screen.tsx';
import { cents } from '../../domain/money.ts';
import { MoneyFigures } from './money/money-figures.tsx';
import { FoldedLines, type LinesProps } from './packing/packing-lines.tsx';
import { PurchaseListSection } from './purchase-list/purchase-list-section.tsx';

beforeEach(freshDevice);

test('the report page shows the largest of many product groups as bars, and all groups in the table (contract §9)', () => {
  const groups = Array.from({ length: 20 }, (_, index) => ({ group: `Group ${index}`, products: 1, units: index + 1, weights: [] }));
  const product = {
    id: 1,
    distributionId: 9,
    name: 'Brisket',
    description: null,
    product_code: 1001,
    product_group: 'Group 0',
    unit_price: cents(1699),
    unit_qty: 1,
    price: cents(1699),
    uom: null,
    unit_qty_is_estimate: false,
    max_order_qty: 0,
    total_limit: null,
    left: null,
    nameDetail: 'first cut',
  };
  render(<PurchaseListSection distributionId={9} supply={{ groups, products: [{ product, units: 1, weighedUnits: 0, weight: null }] }} />);
  expect(screen.getByText('The 16 largest of 20; the table has them all.')).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Products to buy' }).textContent).toContain('Brisket, first cut');
  expect(screen.getByRole('table', { name: 'Groups' }).textContent).toContain('Group 0');
});

test('a long packing list shows its first lines; one button shows all lines, and then another button shows only the first lines again', () => {
  const line = { email: 'rivka@mail.test', firstName: 'Rivka', lastName: 'Abramov', orderId: 5 };
  const product = { productName: 'Matzah', productCategory: null, productCode: 1701, quantity: 1 };
  const lines: LinesProps['lines'] = Array.from({ length: 21 }, () => ({ ...line, ...product }));
  render(<FoldedLines lines={lines} text={({ productName }) => productName} />);
  const count = (): number => screen.getAllByText('Matzah').length;
  expect(count()).toBe(20);
  fireEvent.click(screen.getByText('Show all 21'));
  expect(count()).toBe(21);
  fireEvent.click(screen.getByText('Show fewer'));
  expect(count()).toBe(20);
});

test.each([
  [0, 0, 'nothing is open'],
  [1000, 0, 'all of it weighed'],
  [1000, 400, '$4.00 of it is an estimate until all is weighed'],
])('the report page states that %i cents due include %i estimated cents', (due, estimated, said) => {
  render(
    <MoneyFigures
      takings={[]}
      dues={{ weighed: cents(due - estimated), due: cents(due), estimated: cents(estimated), refunds: cents(0) }}
    />,
  );
  expect(screen.getByText('Money due').closest('div')?.textContent).toContain(said);
});
