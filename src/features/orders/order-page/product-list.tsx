import clsx from 'clsx';
import { memo, type ReactNode } from 'react';
import { QuantityInput } from '../../../client/ui/forms/quantity-input.tsx';
import { dollars } from '../../../domain/money.ts';
import { isLimited, isScarce } from '../../../domain/ordering/limits.ts';
import { lineTotal, type Quantities } from '../../../domain/order.ts';
import { withDetail } from '../../../domain/product-names.ts';
import type { Product } from '../../products/contract.ts';
import { ProductName } from '../../products/pictures/product-name.tsx';
import { ProductWaiting } from '../../waiting/own-waiting.tsx';
import { Estimated } from '../shared/estimated.tsx';
import { ESTIMATED_IN_FULL, leftText, limitReason, maxText, unitPriceText } from '../texts.ts';
import { NOT_OFFERED } from '../../products/texts.ts';
import type { ProductGroup } from './product-groups.ts';

export interface ProductListProps {
  groups: readonly ProductGroup[];
  /** Maps product ids to the part of the description that distinguishes products with the same name. */
  nameDetails: ReadonlyMap<number, string>;
  quantities: Quantities;
  ordered: Quantities;
  onText: (product: Product, text: string) => void;
  isReadOnly: boolean;
}

interface ProductRowProps extends Pick<ProductListProps, 'onText' | 'isReadOnly'> {
  product: Product;
  nameDetail: string | undefined;
  quantity: number;
  ordered: number;
}

/**
 * Returns the maximum quantity that the product's limit allows this customer, and the reason that the page shows. Returns null if the
 * product has no limit (contract §12). Also returns null for a withdrawn product, because nobody can order more of it even if units are
 * left.
 */
const limitOf = ({ left, notOffered }: Product, ordered: number) =>
  isLimited(left) && !notOffered ? { most: ordered + left, reason: limitReason(left), isReasonShown: left === 0 } : null;

/** Shows one product of the order page (spec §2). Memoized, so that typing renders only one of hundreds of rows. */
const ProductRow = memo(function ProductRow({ product, nameDetail, quantity, ordered, onText, isReadOnly }: ProductRowProps): ReactNode {
  const label = withDetail(product.name, nameDetail);
  return (
    <li className="-mx-1 grid [contain-intrinsic-block-size:auto_8.5rem] [content-visibility:auto] grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 border-b border-line px-1 py-3.5 md:grid-cols-[minmax(0,1fr)_5.5rem_9.5rem_7.5rem] md:items-center xl:gap-x-5">
      <h3 className="text-[1.0625rem] leading-snug font-semibold">
        <ProductName product={product} />
      </h3>
      <span className="num text-end font-semibold md:row-span-2">
        {dollars(product.price)}
        {/* On desktops, every row has space for the asterisk that marks an estimated price, so that the prices align. */}
        <span className="md:inline-block md:w-[0.5em] md:text-start">
          {product.unit_qty_is_estimate && (
            <abbr className="no-underline" title={ESTIMATED_IN_FULL}>
              *
            </abbr>
          )}
        </span>
      </span>
      <div className="col-span-2 text-s text-ink-soft md:col-span-1 md:col-start-1">
        <p>{`${unitPriceText(product)} · ${product.notOffered ? NOT_OFFERED : maxText(product.max_order_qty)}`}</p>
        {isScarce(product.left) && !product.notOffered && (
          <p className={clsx('font-semibold', product.left === 0 ? 'text-bad' : 'text-wait')}>{leftText(product.left)}</p>
        )}
        {product.description && <p>{product.description}</p>}
        <ProductWaiting product={{ ...product, label }} />
      </div>
      <div className="mt-2 md:col-start-3 md:row-span-2 md:row-start-1 md:mt-0 md:*:flex-wrap md:*:gap-y-1">
        <QuantityInput
          label={label}
          value={quantity}
          max={product.max_order_qty}
          limit={limitOf(product, ordered)}
          onText={(text) => onText(product, text)}
          isReadOnly={isReadOnly}
        />
      </div>
      <p className="num self-center text-end md:col-start-4 md:row-span-2 md:row-start-1">
        <span className={clsx(quantity > 0 ? 'font-bold' : 'text-ink-soft')}>{dollars(lineTotal(product, quantity))}</span>
        <Estimated isShown={quantity > 0 && product.unit_qty_is_estimate} />
      </p>
    </li>
  );
});

export const ProductList = memo(function ProductList({ groups, nameDetails, quantities, ordered, ...row }: ProductListProps): ReactNode {
  return groups.map(({ name, products }) => (
    <section key={name} aria-label={name}>
      <h2 className={clsx(groups.length === 1 ? 'sr-only' : 'pt-6 pb-1')}>{name}</h2>
      {/* Without the scroll margin of this list, the sticky search field and chips could cover an element that gets the focus. */}
      <ul className="**:scroll-mt-20">
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            nameDetail={nameDetails.get(product.id)}
            quantity={quantities.get(product.id) ?? 0}
            ordered={ordered.get(product.id) ?? 0}
            {...row}
          />
        ))}
      </ul>
    </section>
  ));
});
