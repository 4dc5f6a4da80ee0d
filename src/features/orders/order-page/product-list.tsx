import clsx from 'clsx';
import { memo, type ReactNode } from 'react';
import type { Quantities } from '../../../domain/order.ts';
import type { ProductGroup } from './product-groups.ts';
import { ProductRow, type ProductRowProps } from './product-row.tsx';

interface ProductListProps {
  groups: readonly ProductGroup[];
  /** Maps product ids to the part of the description that distinguishes products with the same name. */
  nameDetails: ReadonlyMap<number, string>;
  quantities: Quantities;
  ordered: Quantities;
  onText: ProductRowProps['onText'];
  isReadOnly: boolean;
}

export const ProductList = memo(function ProductList({
  groups,
  nameDetails,
  quantities,
  ordered,
  onText,
  isReadOnly,
}: ProductListProps): ReactNode {
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
            onText={onText}
            isReadOnly={isReadOnly}
          />
        ))}
      </ul>
    </section>
  ));
});
