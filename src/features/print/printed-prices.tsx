import { useMemo, type ReactNode } from 'react';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { dollars } from '../../domain/money.ts';
import { nameDetails } from '../../domain/product-names.ts';
import type { Distribution } from '../distributions/contract.ts';
import { groupsOf } from '../orders/order-page/product-groups.ts';
import { ESTIMATE_NOTE, NO_PRODUCTS } from '../orders/texts.ts';
import type { Product } from '../products/contract.ts';
import { PaperTitle } from './paper-title.tsx';
import { perUomText, PRICE_COLUMNS, PRICESHEET } from './texts.ts';

export function PrintedPrices({ distribution, products }: { distribution: Distribution; products: readonly Product[] }): ReactNode {
  const details = useMemo(() => nameDetails(products), [products]);
  if (products.length === 0) {
    return (
      <>
        <h1 className="mb-6">{PRICESHEET}</h1>
        <EmptyState text={NO_PRODUCTS} />
      </>
    );
  }
  const { code, name, max, unitPrice, price } = PRICE_COLUMNS;
  const hasEstimates = products.some((product) => product.unit_qty_is_estimate);
  return (
    <article className="paper">
      <table className="paper-table">
        <thead>
          <PaperTitle title={PRICESHEET} distribution={distribution} />
          <tr className="paper-columns">
            {[code, name, max, unitPrice, price].map((label) => (
              <th key={label} scope="col" className={label === name ? 'w-full' : 'text-end'}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(products).map((group) => (
          <tbody key={group.name}>
            <tr className="paper-group">
              <th colSpan={5} scope="rowgroup">
                {group.name}
              </th>
            </tr>
            {group.products.map((product) => (
              <PriceRow key={product.id} product={product} detail={details.get(product.id)} />
            ))}
          </tbody>
        ))}
      </table>
      {hasEstimates && <p className="paper-note mt-4">{ESTIMATE_NOTE}</p>}
    </article>
  );
}

function PriceRow({ product, detail }: { product: Product; detail: string | undefined }): ReactNode {
  const { product_code, name, max_order_qty, unit_price, uom, price, unit_qty_is_estimate } = product;
  return (
    <tr className="paper-row">
      <td data-label={PRICE_COLUMNS.code} className="num text-end">
        {product_code}
      </td>
      <td className="paper-name">
        {name}
        {detail && <span className="paper-detail">{detail}</span>}
      </td>
      <td data-label={PRICE_COLUMNS.max} className="num text-end">
        {max_order_qty === 0 ? '-' : max_order_qty}
      </td>
      <td data-label={PRICE_COLUMNS.unitPrice} data-uom={uom ? perUomText(uom) : undefined} className="num text-end">
        {dollars(unit_price)}
      </td>
      <td className="paper-amount num text-end">
        {dollars(price)}
        <span className="paper-star">{unit_qty_is_estimate && '*'}</span>
      </td>
    </tr>
  );
}
