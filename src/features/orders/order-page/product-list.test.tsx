import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import type { Product } from '../../products/contract.ts';
import { groupsOf } from './product-groups.ts';
import { ProductList } from './product-list.tsx';

/** Returns a product that counts in `drawn` how often its row was rendered. */
function watched(id: number, drawn: Map<number, number>, values: Partial<Product> = {}): Product {
  const product = {
    id,
    distributionId: 9,
    name: `Product ${id}`,
    unit_price: cents(1699),
    unit_qty: 5,
    price: cents(8495),
    uom: 'lb',
    unit_qty_is_estimate: true,
    max_order_qty: 0,
    product_group: 'Beef',
    product_code: null,
    ...values,
  };
  return Object.defineProperty(product as Product, 'description', {
    get: () => {
      drawn.set(id, (drawn.get(id) ?? 0) + 1);
      return null;
    },
  });
}

const ignore = (): void => undefined;

test('the product list renders only the row whose quantity changes (spec §2)', () => {
  const drawn = new Map<number, number>();
  const groups = groupsOf([1, 2, 3].map((id) => watched(id, drawn)));
  const { rerender } = render(
    <ProductList groups={groups} nameDetails={new Map()} quantities={new Map()} ordered={new Map()} onText={ignore} isReadOnly={false} />,
  );
  drawn.clear();
  rerender(
    <ProductList
      groups={groups}
      nameDetails={new Map()}
      quantities={new Map([[2, 4]])}
      ordered={new Map()}
      onText={ignore}
      isReadOnly={false}
    />,
  );
  expect([...drawn.keys()]).toEqual([2]);
  expect(screen.getByText('$339.80')).toBeTruthy();
});

test.each([
  { left: null, quantity: 2, shown: null, reason: null },
  { left: 11, quantity: 0, shown: null, reason: null },
  { left: 10, quantity: 0, shown: '10 left', reason: null },
  { left: 3, quantity: 2, shown: '3 left', reason: null },
  { left: 3, quantity: 3, shown: '3 left', reason: 'Only 3 left' },
  { left: 3, quantity: 5, ordered: 2, shown: '3 left', reason: 'Only 3 left' },
  { left: 0, quantity: 0, shown: 'None left', reason: 'None left' },
])(
  'with $left units left and the quantity $quantity typed in an order of $ordered units, the product list shows "$shown" and disables the plus button with "$reason" (contract §12)',
  ({ left, quantity, ordered = 0, shown, reason }) => {
    const product = { ...watched(1, new Map()), left, total_limit: 20 };
    const quantities = { quantities: new Map([[1, quantity]]), ordered: new Map([[1, ordered]]) };
    render(<ProductList groups={groupsOf([product])} nameDetails={new Map()} {...quantities} onText={ignore} isReadOnly={false} />);
    expect(screen.queryAllByText(/^(\d+|None) left$/, { selector: 'p' }).map((text) => text.textContent)).toEqual(
      shown === null ? [] : [shown],
    );
    expect(screen.queryAllByText('None left')).toHaveLength(left === 0 ? 1 : 0);
    const more = screen.getByRole('button', { name: /^More/ });
    expect([more.getAttribute('title'), more.getAttribute('aria-disabled')]).toEqual([reason, reason === null ? null : 'true']);
  },
);

test.each([
  [{}, 'about 5 lb × $16.99 per lb · no max quantity', '$84.95*'],
  [{ max_order_qty: 3 }, 'about 5 lb × $16.99 per lb · max: 3', '$84.95*'],
  [
    { unit_qty: 1, uom: 'pack', unit_qty_is_estimate: false, unit_price: cents(1149), price: cents(1149) },
    '1 × $11.49 per pack · no max quantity',
    '$11.49',
  ],
  [
    { unit_qty: 1, uom: 'each', unit_qty_is_estimate: false, unit_price: cents(3450), price: cents(3450) },
    '1 × $34.50 each · no max quantity',
    '$34.50',
  ],
  [{ unit_qty: 6, uom: null, unit_qty_is_estimate: false, price: cents(10194) }, '6 × $16.99 each · no max quantity', '$101.94'],
])('the product list shows the unit and its price in the row of a product with the values %o (spec §1, §2)', (values, meta, price) => {
  render(
    <ProductList
      groups={groupsOf([watched(1, new Map(), values)])}
      nameDetails={new Map()}
      quantities={new Map()}
      ordered={new Map()}
      onText={ignore}
      isReadOnly={false}
    />,
  );
  expect(screen.getByText(meta)).toBeTruthy();
  expect(screen.getByRole('listitem').textContent).toContain(price);
  expect(screen.getByRole('listitem').textContent?.includes('*')).toBe(price.endsWith('*'));
});

test('the product list labels the quantity fields of products with the same name differently', () => {
  const groups = groupsOf([watched(1, new Map(), { name: 'Grape juice' }), watched(2, new Map(), { name: 'Grape juice' })]);
  const details = new Map([
    [1, 'Kedem'],
    [2, 'Lipschutz'],
  ]);
  render(
    <ProductList groups={groups} nameDetails={details} quantities={new Map()} ordered={new Map()} onText={ignore} isReadOnly={false} />,
  );
  expect(screen.getByLabelText('Quantity of Grape juice, Lipschutz')).toBeTruthy();
});
