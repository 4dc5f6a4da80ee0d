import { TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../../client/api/use-calls.ts';
import { shortDate, today } from '../../../shared/dates.ts';
import { noPriceText } from '../../catalogue/texts.ts';
import { listProducts } from '../../products/contract.ts';
import type { Distribution } from '../contract.ts';
import { dayHasPassedText, NO_PRODUCTS_YET } from '../texts.ts';

/**
 * Warns before a draft is published if it has no products, if customers would see products for $0.00, or if its date is past. The distributor
 * can publish the draft anyway.
 */
export function BeforePublishing({ distribution: { id, date } }: { distribution: Distribution }): ReactNode {
  const products = useRead(listProducts, { id });
  const [now] = useState(() => today(new Date()));
  const free = (products.data ?? []).filter(({ price, notOffered }) => price === 0 && notOffered !== true);
  const remarks = [
    products.data?.length === 0 && NO_PRODUCTS_YET,
    free.length > 0 && noPriceText(free.map(({ name }) => name)),
    date < now && dayHasPassedText(shortDate(date)),
  ].filter((remark) => remark !== false);
  return remarks.map((remark) => (
    <p key={remark} className="mt-1.5 flex gap-2 text-s wrap-anywhere text-wait">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      {remark}
    </p>
  ));
}
