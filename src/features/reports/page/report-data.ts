import { useMemo } from 'react';
import { useRead } from '../../../client/api/use-calls.ts';
import { withActuals } from '../../../domain/weights/actuals.ts';
import { nameDetails } from '../../../domain/product-names.ts';
import { purchaseItems, purchaseGroups } from '../../../domain/purchase-list.ts';
import { openBalancesOf, totalsByMethod } from '../../../domain/payment-totals.ts';
import { readActualsReport } from '../../actuals/contract.ts';
import { listPayments } from '../../payments/contract.ts';
import { listProducts } from '../../products/contract.ts';
import { readCustomerReport } from '../contract.ts';
import { customersByName } from '../customers/customer-columns.tsx';
import type { MoneyData } from '../money/money-section.tsx';
import type { PurchaseListData } from '../purchase-list/purchase-list-section.tsx';

/** The data that one section of the report has read from the server. `data` is undefined until all reads of the section are loaded. */
export interface SectionRead<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

function partOf<T>(data: T | undefined, reads: readonly { error: Error | null; refetch: () => unknown }[]): SectionRead<T> {
  const failed = reads.filter((read) => read.error);
  return { data, error: failed[0]?.error ?? null, refetch: () => failed.forEach((read) => void read.refetch()) };
}

export function usePurchaseList(id: number): SectionRead<PurchaseListData> {
  const products = useRead(listProducts, { id });
  const actuals = useRead(readActualsReport, { id });
  const data = useMemo(() => {
    if (!products.data || !actuals.data) return undefined;
    const details = nameDetails(products.data);
    const named = products.data.map((product) => ({ ...product, nameDetail: details.get(product.id) }));
    const rows = purchaseItems(named, withActuals(actuals.data.reportData, actuals.data.actualsData));
    return { products: rows, groups: purchaseGroups(rows) };
  }, [products.data, actuals.data]);
  return partOf(data, [products, actuals]);
}

export function useMoney(id: number): SectionRead<MoneyData> {
  const payments = useRead(listPayments, { id });
  const customers = useRead(readCustomerReport, { id });
  const data = useMemo(() => {
    if (!payments.data || !customers.data) return undefined;
    return {
      takings: totalsByMethod(payments.data.map((row) => row.payments)),
      dues: openBalancesOf(customers.data),
      owing: customersByName(customers.data.filter((row) => row.balance !== 0)),
    };
  }, [payments.data, customers.data]);
  return partOf(data, [payments, customers]);
}
