// Contains two existing products, and functions that return what an import of a product file would do.
import { cents } from '../../src/domain/money.ts';
import type { Product, ProductFields } from '../../src/features/products/contract.ts';
import { readProducts } from '../../src/features/products/csv.ts';

export const brisket: Product = {
  id: 7,
  distributionId: 1,
  name: 'Brisket',
  description: 'First cut',
  unit_price: cents(1899),
  unit_qty: 5,
  price: cents(9495),
  uom: 'lb',
  unit_qty_is_estimate: true,
  max_order_qty: 4,
  product_group: 'Meat',
  product_code: 100,
  total_limit: null,
  left: null,
};
export const wine: Product = { ...brisket, id: 8, name: 'Wine', description: null, unit_qty_is_estimate: false, product_code: null };

export const outcome = (text: string, existing: readonly Product[] = [brisket, wine]): (string | number)[][] =>
  readProducts(text, existing).rows.map((row) => {
    if (row.kind === 'problem') return [row.line, ...row.reasons];
    return row.kind === 'unchanged' ? [row.line, 'unchanged', row.product.id] : [row.line, row.kind, row.fields.name];
  });
/** Returns the fields that an import would write for the first row of a file. */
export const onlyFields = (text: string, existing: readonly Product[] = []): ProductFields => {
  const [row] = readProducts(text, existing).rows;
  if (row?.kind !== 'add' && row?.kind !== 'update') throw new Error(JSON.stringify(row));
  return row.fields;
};
