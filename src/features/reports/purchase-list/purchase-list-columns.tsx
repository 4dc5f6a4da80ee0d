import type { ReactNode } from 'react';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { weightSumText, type PurchaseGroup, type PurchaseItem, type PurchaseWeight } from '../../../domain/purchase-list.ts';
import { numberText } from '../../../shared/counted.ts';
import { withUom } from '../../actuals/texts.ts';
import type { Product } from '../../products/contract.ts';
import { groupText } from '../../products/texts.ts';
import { ofText, perUnitText, SUPPLY_HEADERS, weighedUnitsText } from '../texts.ts';

export type NamedProduct = Product & { readonly nameDetail: string | undefined };
type Row = PurchaseItem<NamedProduct>;

const NOTHING: ReactNode = <span className="text-ink-soft">—</span>;

/** Returns the weights in all units of measure as one text, for example '12.5 lb + 4 kg'. */
const weightsText = (weights: readonly PurchaseWeight[], which: 'estimated' | 'weighed'): string =>
  weights.map((weight) => withUom(weightSumText(weight[which]), weight.uom)).join(' + ');

/** Returns the quantity of one unit of a product: 'about 5 lb' or '12 each'. */
const unitOf = ({ unit_qty, uom, unit_qty_is_estimate }: Product): string => perUnitText(withUom(unit_qty, uom), unit_qty_is_estimate);

const UNITS: Column<{ readonly units: number }> = {
  id: 'units',
  header: SUPPLY_HEADERS.units,
  value: (row) => row.units,
  text: (row) => numberText(row.units),
  align: 'end',
  width: '6rem',
};

/** These columns form the purchase list by product (contract §9). */
export const PURCHASE_LIST_COLUMNS: readonly Column<Row>[] = [
  { id: 'code', header: SUPPLY_HEADERS.code, value: (row) => row.product.product_code, filter: 'text', align: 'end', width: '6.5rem' },
  {
    id: 'product',
    header: SUPPLY_HEADERS.product,
    value: ({ product }) => withDetail(product.name, product.nameDetail),
    filter: 'text',
    card: 'title',
    width: '15rem',
  },
  { id: 'group', header: SUPPLY_HEADERS.group, value: (row) => groupText(row.product.product_group), filter: 'text', width: '10rem' },
  { id: 'unit', header: SUPPLY_HEADERS.perUnit, value: (row) => unitOf(row.product), isSortable: false, width: '8rem' },
  UNITS,
  {
    id: 'estimated',
    header: SUPPLY_HEADERS.estimated,
    value: (row) => row.weight?.estimated ?? null,
    text: (row) => (row.weight ? weightsText([row.weight], 'estimated') : ''),
    cell: (row) => (row.weight ? weightsText([row.weight], 'estimated') : NOTHING),
    align: 'end',
    width: '9.5rem',
  },
  {
    id: 'weighed',
    header: SUPPLY_HEADERS.weighed,
    value: (row) => row.weight?.weighed ?? null,
    text: weighedText,
    cell: (row) => <Weighed row={row} />,
    align: 'end',
    width: '9.5rem',
  },
];

function weighedText({ weight, weighedUnits, units }: Row): string {
  return weight && weighedUnits > 0 ? `${weightsText([weight], 'weighed')}, ${ofText(weighedUnits, units)}` : '';
}

function Weighed({ row }: { row: Row }): ReactNode {
  const { weight, weighedUnits, units } = row;
  if (!weight || weighedUnits === 0) return NOTHING;
  return (
    <>
      {weightsText([weight], 'weighed')}
      <span className="block text-xs text-ink-soft">{weighedUnitsText(weighedUnits, units)}</span>
    </>
  );
}

/** These columns form the purchase list by group. Groups without weights have empty cells. */
export const GROUP_COLUMNS: readonly Column<PurchaseGroup>[] = [
  { id: 'group', header: SUPPLY_HEADERS.group, value: (row) => groupText(row.group), card: 'title', width: '12rem' },
  { id: 'products', header: SUPPLY_HEADERS.products, value: (row) => row.products, align: 'end', width: '7rem' },
  UNITS,
  {
    id: 'estimated',
    header: SUPPLY_HEADERS.estimated,
    value: (row) => row.weights[0]?.estimated ?? null,
    text: (row) => weightsText(row.weights, 'estimated'),
    cell: (row) => weightsText(row.weights, 'estimated') || NOTHING,
    align: 'end',
    width: '10rem',
  },
  {
    id: 'weighed',
    header: SUPPLY_HEADERS.weighed,
    value: (row) => row.weights[0]?.weighed ?? null,
    text: (row) => weightsText(row.weights, 'weighed'),
    cell: (row) => (row.weights.some((weight) => weight.weighed > 0) ? weightsText(row.weights, 'weighed') : NOTHING),
    align: 'end',
    width: '10rem',
  },
];
