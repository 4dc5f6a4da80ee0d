// Contract §4: changing what ordered products cost asks first, naming the orders and the paid orders it re-prices.
import type { ReactNode } from 'react';
import { useRead } from '../../client/use-calls.ts';
import { counted } from '../../shared/counted.ts';
import { readCustomerReport, readReport, type CustomerReportRow, type ReportRow } from '../reports/contract.ts';
import type { Product, ProductFields } from './contract.ts';
import { repricedText, type Repriced } from './texts.ts';

/** Whether saving these fields changes what orders of the product cost. */
export const isRepriced = (product: Product, fields: ProductFields): boolean =>
  (product.total_ordered ?? 0) > 0 &&
  (fields.unit_price !== product.unit_price ||
    fields.unit_qty !== product.unit_qty ||
    fields.unit_qty_is_estimate !== product.unit_qty_is_estimate);

/** Report rows carry no product id: they are found by code, name and group, and counted only when their units add up. */
export function repricedBy(products: readonly Product[], report: readonly ReportRow[], customers: readonly CustomerReportRow[]): Repriced {
  const units = products.reduce((total, product) => total + (product.total_ordered ?? 0), 0);
  const keys = new Set(products.map((product) => JSON.stringify([product.product_code, product.name, product.product_group])));
  const lines = report.filter((row) => keys.has(JSON.stringify([row.productCode, row.productName, row.productCategory])));
  if (lines.reduce((total, row) => total + row.quantity, 0) !== units) return { units, orders: null };
  const orderIds = new Set(lines.map((row) => row.orderId));
  const paid = customers.filter((row) => row.order_id !== null && orderIds.has(row.order_id) && row.balance < row.orderAmount);
  return { units, orders: { all: orderIds.size, withPayments: paid.length } };
}

/** Null while the orders are being read. */
export function useRepriced(distributionId: number, products: readonly Product[]): Repriced | null {
  const report = useRead(readReport, { id: distributionId });
  const customers = useRead(readCustomerReport, { id: distributionId });
  if (report.isPending || customers.isPending) return null;
  return repricedBy(products, report.data ?? [], customers.data ?? []);
}

export function RepricedOrders({ distributionId, products }: { distributionId: number; products: readonly Product[] }): ReactNode {
  const repriced = useRepriced(distributionId, products);
  const [only] = products;
  const what = products.length === 1 && only ? only.name : counted(products.length, 'product');
  return <output>{repriced === null ? 'Counting the orders…' : repricedText(what, repriced)}</output>;
}
