import type { ReactNode } from 'react';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { QuantityCell } from '../../../client/ui/forms/quantity-cell.tsx';
import { QuantityInput } from '../../../client/ui/forms/quantity-input.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { dollars } from '../../../domain/money.ts';
import { lineTotal } from '../../../domain/order.ts';
import { isLimited } from '../../../domain/ordering/limits.ts';
import { withDetail } from '../../../domain/product-names.ts';
import type { Product } from '../../products/contract.ts';
import { NOT_OFFERED, OTHER_GROUP } from '../../products/texts.ts';
import { aboveMaxText, originalText, EDIT_HEADERS, ESTIMATED, leftText, maxText, unitPriceText } from '../texts.ts';

/**
 * A product with its typed and its saved quantity. The object stays the same while neither changes, so that only changed rows are rendered
 * again.
 */
export interface EditedRow {
  readonly product: Product;
  readonly quantity: number;
  readonly loaded: number;
  /** The quantity that the customer requested last; null if the order has no line of this product. */
  readonly customerQuantity: number | null;
  /** The part of the description that distinguishes the product from other products with the same name. */
  readonly detail: string | undefined;
}

export interface QuantityEditing {
  readonly onText: (product: Product, text: string) => void;
  readonly onRestore: (productId: number, quantity: number) => void;
  readonly isReadOnly: boolean;
}

/**
 * Whether the quantity exceeds the product's maximum. This happens if the maximum was lowered after the order was placed. The order cannot
 * be saved until the quantity is lowered.
 */
const isAboveMax = ({ product: { max_order_qty }, quantity }: EditedRow): boolean => max_order_qty > 0 && quantity > max_order_qty;

/** The columns of spec §2. Rows are sorted by saved values, so that a row does not move while its quantity is edited. */
export const editOrderColumns = ({ onText, onRestore, isReadOnly }: QuantityEditing): readonly Column<EditedRow>[] => [
  {
    id: 'code',
    header: EDIT_HEADERS.code,
    value: ({ product }) => product.product_code,
    text: ({ product }) => String(product.product_code ?? '-'),
    filter: 'text',
    // This width leaves room for four digits beside the clear button of the filter.
    width: '8rem',
  },
  {
    id: 'group',
    header: EDIT_HEADERS.group,
    value: ({ product }) => product.product_group ?? OTHER_GROUP,
    filter: 'text',
    width: '7.5rem',
  },
  {
    id: 'name',
    header: EDIT_HEADERS.name,
    value: ({ product }) => product.name,
    text: ({ product, detail }) => withDetail(product.name, detail),
    cell: (row) => <Named row={row} />,
    filter: 'text',
    card: 'title',
    width: '17rem',
  },
  {
    id: 'price',
    header: EDIT_HEADERS.price,
    value: ({ product }) => product.price,
    text: ({ product }) => dollars(product.price) + (product.unit_qty_is_estimate ? '*' : ''),
    cell: ({ product }) => (
      <>
        {dollars(product.price)}
        {product.unit_qty_is_estimate && <span className="inline-block w-0">*</span>}
      </>
    ),
    align: 'end',
    width: '6.5rem',
  },
  {
    id: 'qty',
    header: EDIT_HEADERS.qty,
    value: (row) => row.loaded,
    cell: (row) => <Quantity row={row} onText={onText} onRestore={onRestore} isReadOnly={isReadOnly} />,
    align: 'end',
    width: '6.5rem',
  },
  {
    id: 'total',
    header: EDIT_HEADERS.total,
    value: ({ product, loaded }) => lineTotal(product, loaded),
    cell: (row) => <LineTotal row={row} />,
    align: 'end',
    width: '8rem',
  },
];

/**
 * The field for a quantity. On phones it is the quantity input of the order page; on larger screens the arrow keys and Enter move between
 * the fields as in a spreadsheet.
 */
function Quantity({ row, onText, onRestore, isReadOnly }: QuantityEditing & { row: EditedRow }): ReactNode {
  const { product, quantity } = row;
  const isPhone = useMedia(PHONE);
  const field = {
    label: withDetail(product.name, row.detail),
    value: quantity,
    max: product.max_order_qty,
    isReadOnly,
    onText: (text: string) => onText(product, text),
  };
  if (isPhone) return <QuantityInput {...field} />;
  return (
    <QuantityCell
      {...field}
      id={product.id}
      isChanged={quantity !== row.loaded}
      isInvalid={isAboveMax(row)}
      onRestore={(before) => onRestore(product.id, before)}
    />
  );
}

function Named({ row }: { row: EditedRow }): ReactNode {
  const { product, quantity, customerQuantity, detail } = row;
  const facts = [
    unitPriceText(product),
    product.notOffered ? NOT_OFFERED : product.max_order_qty > 0 && maxText(product.max_order_qty),
    isLimited(product.left) && !product.notOffered && leftText(product.left),
    customerQuantity !== null && customerQuantity !== quantity && originalText(customerQuantity),
  ];
  return (
    <>
      {product.name}
      {detail && <span className="block font-normal">{detail}</span>}
      <span className="block text-xs font-normal text-ink-soft">{facts.filter(Boolean).join(' · ')}</span>
      {isAboveMax(row) && <span className="block text-xs text-bad">{aboveMaxText(product.max_order_qty)}</span>}
    </>
  );
}

function LineTotal({ row: { product, quantity } }: { row: EditedRow }): ReactNode {
  if (quantity === 0) return <span className="text-ink-soft">{dollars(lineTotal(product, 0))}</span>;
  return (
    <>
      <b className="font-semibold">{dollars(lineTotal(product, quantity))}</b>
      {product.unit_qty_is_estimate && <span className="text-ink-soft"> {ESTIMATED}</span>}
    </>
  );
}
