import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../client/api/use-calls.ts';
import { quantitiesOf } from '../../domain/order.ts';
import { shownProducts } from '../../domain/ordering/withdrawn-products.ts';
import { CustomerPage } from '../contact/customer-page.tsx';
import { listDistributions } from '../distributions/contract.ts';
import { BACK_TO_DASHBOARD } from '../distributions/texts.ts';
import { readOrder } from '../orders/contract.ts';
import { listProducts } from '../products/contract.ts';
import { idOf, PrintView } from './print-view.tsx';
import { PrintedPrices } from './printed-prices.tsx';
import { pricesheetTitle } from './texts.ts';

/** Renders the screen at /customer/print-pricesheet/{distributionId} (spec §2). */
export function PricesheetPage(): ReactNode {
  const id = idOf(useParams<{ distributionId: string }>().distributionId);
  const distributions = useRead(listDistributions);
  // The distribution; undefined if the id in the URL is unknown. In that case the products are not requested, because the browser would log
  // the failed request in its console (contract §10).
  const distribution = distributions.data?.find((own) => own.id === id);
  const products = useRead(listProducts, { id }, { nullOn: 404, enabled: distribution !== undefined });
  const hasWithdrawn = products.data?.some((product) => product.notOffered) ?? false;
  const order = useRead(readOrder, { distributionId: id }, { enabled: hasWithdrawn });
  const ordered = quantitiesOf(order.data?.products ?? []);
  const shown = hasWithdrawn && order.data === undefined ? undefined : products.data && shownProducts(products.data, ordered);
  const isMissing = products.data === null || (distributions.data !== undefined && !distribution && !distributions.isFetching);
  const read = {
    data: isMissing ? null : distribution && shown && { distribution, products: shown },
    error: distributions.error ?? products.error ?? order.error,
    isFetchedAfterMount: distributions.isFetchedAfterMount && (isMissing || products.isFetchedAfterMount),
    refetch: () => Promise.all([distributions.refetch(), distribution && products.refetch(), hasWithdrawn && order.refetch()]),
  };
  return (
    <CustomerPage>
      <PrintView
        read={read}
        back={() => ({ href: '/customer', label: BACK_TO_DASHBOARD })}
        title={(prices) => pricesheetTitle(prices.distribution.name)}
        hasContent={(prices) => prices.products.length > 0}
      >
        {(prices) => <PrintedPrices {...prices} />}
      </PrintView>
    </CustomerPage>
  );
}
