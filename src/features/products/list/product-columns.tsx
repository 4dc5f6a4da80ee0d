import type { ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { RowActions } from '../../../client/ui/table/row-actions.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { dollars } from '../../../domain/money.ts';
import { unitsOver } from '../../../domain/ordering/limits.ts';
import { overLimitText } from '../../catalogue/texts.ts';
import type { Product } from '../contract.ts';
import { ProductMenu, type ProductActions } from './product-menu.tsx';
import { CLEAR_QUANTITIES, clearText, EDIT, editText, groupText, leftText, NOT_OFFERED, PRODUCT_HEADERS, unitsText } from '../texts.ts';

export const groupOf = (product: Product): string => groupText(product.product_group);

const LEFT: Column<Product> = {
  id: 'left',
  header: PRODUCT_HEADERS.left,
  value: (product) => product.left,
  cell: (product) => <Left product={product} />,
  align: 'end',
  width: '6.5rem',
};

/**
 * Returns the columns of the products table. Callers must memoize them. The search field filters the name column. There is a column for the
 * units left only if any product of the distribution has a limit.
 */
export const productColumns = ({ onEdit, onClear, ...ofMenu }: ProductActions, hasLimits: boolean): Column<Product>[] => [
  {
    id: 'code',
    header: PRODUCT_HEADERS.code,
    value: (product) => product.product_code,
    text: (product) => String(product.product_code ?? '-'),
    isFolded: true,
    width: '5.5rem',
  },
  {
    id: 'product',
    header: PRODUCT_HEADERS.product,
    value: (product) => product.name,
    text: (product) => [product.name, product.product_code, product.description].join(' '),
    cell: (product) => <Named product={product} />,
    card: 'title',
    width: '25rem',
  },
  { id: 'group', header: PRODUCT_HEADERS.group, value: groupOf, width: '8.5rem', isFolded: true },
  {
    id: 'price',
    header: PRODUCT_HEADERS.price,
    value: (product) => product.price,
    cell: (product) => <Price product={product} />,
    align: 'end',
    width: '9.5rem',
  },
  {
    id: 'max',
    header: PRODUCT_HEADERS.max,
    value: (product) => product.max_order_qty || null,
    text: (product) => (product.max_order_qty === 0 ? '-' : String(product.max_order_qty)),
    align: 'end',
    isFolded: true,
    width: '5rem',
  },
  { id: 'ordered', header: PRODUCT_HEADERS.ordered, value: (product) => product.total_ordered ?? 0, align: 'end', width: '6rem' },
  ...(hasLimits ? [LEFT] : []),
  {
    id: 'actions',
    header: PRODUCT_HEADERS.actions,
    value: () => null,
    cell: (product) => (
      <RowActions>
        <Act name={editText(product.name)} onAct={() => onEdit(product)}>
          {EDIT}
        </Act>
        <Act name={clearText(product.name)} onAct={() => onClear(product)}>
          {CLEAR_QUANTITIES}
        </Act>
        <ProductMenu product={product} {...ofMenu} />
      </RowActions>
    ),
    card: 'actions',
    align: 'end',
    width: '13rem',
  },
];

function Act({ name, onAct, children }: { name: string; onAct: () => void; children: string }): ReactNode {
  return (
    <button
      type="button"
      aria-label={name}
      onClick={onAct}
      className="link inline-flex min-h-11 min-w-11 items-center dense:min-h-8 dense:min-w-6"
    >
      {children}
    </button>
  );
}

function Named({ product: { name, description, notOffered } }: { product: Product }): ReactNode {
  return (
    <>
      {name}
      {notOffered === true && (
        <span className="ms-2 align-middle">
          <Badge tone="none">{NOT_OFFERED}</Badge>
        </span>
      )}
      {description !== null && <span className="block text-xs font-normal whitespace-pre-line text-ink-soft">{description}</span>}
    </>
  );
}

function Left({ product: { left, total_limit, total_ordered = 0 } }: { product: Product }): ReactNode {
  const over = unitsOver(total_limit, total_ordered);
  return (
    <>
      {left === null || total_limit === null ? '-' : leftText(left, total_limit)}
      {over > 0 && <span className="block text-xs font-semibold text-wait">{overLimitText(over)}</span>}
    </>
  );
}

function Price({ product }: { product: Product }): ReactNode {
  return (
    <>
      {dollars(product.price)}
      {product.unit_qty_is_estimate && <span className="inline-block w-0">*</span>}
      <span className="block text-xs text-ink-soft">{unitsText(product)}</span>
    </>
  );
}
