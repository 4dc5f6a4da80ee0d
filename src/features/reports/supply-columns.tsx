import type { ReactNode } from 'react';
import type { Column } from '../../client/ui/table-column.ts';
import { weightSumNumber, weightSumText, type GroupSupply, type Supply, type SupplyWeight } from '../../domain/supply.ts';
import { numberText } from '../../shared/counted.ts';
import type { CsvColumn } from '../../shared/csv-write.ts';
import { withUom } from '../actuals/texts.ts';
import type { Product } from '../products/contract.ts';
import { OTHER_GROUP } from '../products/texts.ts';

type Row = Supply<Product>;

const NOTHING: ReactNode = <span className="text-ink-soft">—</span>;

export const groupText = (group: string | null): string => group ?? OTHER_GROUP;

/** '12.5 lb + 4 kg': what is measured in different units stands side by side. */
export const weightsText = (weights: readonly SupplyWeight[], which: 'estimated' | 'weighed'): string =>
  weights.map((weight) => withUom(weightSumText(weight[which]), weight.uom)).join(' + ');

/** 'about 5 lb', '12 each'. */
const perUnitText = ({ unit_qty, uom, unit_qty_is_estimate }: Product): string =>
  `${unit_qty_is_estimate ? 'about ' : ''}${withUom(unit_qty, uom)}`;

/** What to buy of each product (contract §9). */
export const SUPPLY_COLUMNS: readonly Column<Row>[] = [
  { id: 'code', header: 'Code', value: (row) => row.product.product_code, filter: 'text', align: 'end', width: '6.5rem' },
  { id: 'product', header: 'Product', value: (row) => row.product.name, filter: 'text', card: 'title', width: '15rem' },
  { id: 'group', header: 'Group', value: (row) => groupText(row.product.product_group), filter: 'text', width: '10rem' },
  { id: 'unit', header: 'Per unit', value: (row) => perUnitText(row.product), isSortable: false, width: '8rem' },
  { id: 'units', header: 'Units', value: (row) => row.units, text: (row) => numberText(row.units), align: 'end', width: '6rem' },
  {
    id: 'estimated',
    header: 'Estimated weight',
    value: (row) => row.weight?.estimated ?? null,
    text: (row) => (row.weight ? weightsText([row.weight], 'estimated') : ''),
    cell: (row) => (row.weight ? weightsText([row.weight], 'estimated') : NOTHING),
    align: 'end',
    width: '9.5rem',
  },
  {
    id: 'weighed',
    header: 'Weighed so far',
    value: (row) => row.weight?.weighed ?? null,
    text: weighedText,
    cell: (row) => <Weighed row={row} />,
    align: 'end',
    width: '9.5rem',
  },
];

function weighedText({ weight, weighedUnits, units }: Row): string {
  return weight && weighedUnits > 0 ? `${weightsText([weight], 'weighed')}, ${weighedUnits} of ${units}` : '';
}

function Weighed({ row }: { row: Row }): ReactNode {
  const { weight, weighedUnits, units } = row;
  if (!weight || weighedUnits === 0) return NOTHING;
  return (
    <>
      {weightsText([weight], 'weighed')}
      <span className="block text-xs text-ink-soft">{`${numberText(weighedUnits)} of ${numberText(units)} units`}</span>
    </>
  );
}

const fileWeight = (thousandths: number | undefined): string | null => (thousandths === undefined ? null : weightSumNumber(thousandths));

export const SUPPLY_CSV: readonly CsvColumn<Row>[] = [
  { header: 'Code', value: (row) => row.product.product_code },
  { header: 'Product', value: (row) => row.product.name },
  { header: 'Group', value: (row) => groupText(row.product.product_group) },
  { header: 'Quantity per unit', value: (row) => row.product.unit_qty },
  { header: 'Unit of measure', value: (row) => row.product.uom },
  { header: 'Units', value: (row) => row.units },
  { header: 'Estimated weight', value: (row) => fileWeight(row.weight?.estimated) },
  { header: 'Weighed units', value: (row) => (row.weight ? row.weighedUnits : null) },
  { header: 'Weight so far', value: (row) => fileWeight(row.weight?.weighed) },
];

/** What to buy of each group; weights of groups that are not weighed are empty. */
export const GROUP_COLUMNS: readonly Column<GroupSupply>[] = [
  { id: 'group', header: 'Group', value: (row) => groupText(row.group), card: 'title', width: '12rem' },
  { id: 'products', header: 'Products', value: (row) => row.products, align: 'end', width: '7rem' },
  { id: 'units', header: 'Units', value: (row) => row.units, text: (row) => numberText(row.units), align: 'end', width: '6rem' },
  {
    id: 'estimated',
    header: 'Estimated weight',
    value: (row) => row.weights[0]?.estimated ?? null,
    text: (row) => weightsText(row.weights, 'estimated'),
    cell: (row) => weightsText(row.weights, 'estimated') || NOTHING,
    align: 'end',
    width: '10rem',
  },
  {
    id: 'weighed',
    header: 'Weighed so far',
    value: (row) => row.weights[0]?.weighed ?? null,
    text: (row) => weightsText(row.weights, 'weighed'),
    cell: (row) => (row.weights.some((weight) => weight.weighed > 0) ? weightsText(row.weights, 'weighed') : NOTHING),
    align: 'end',
    width: '10rem',
  },
];

type GroupWeight = GroupSupply & { readonly weight: SupplyWeight | null };

/** A row for each unit of measure, so that every number in the file is a number. */
export const groupWeights = (row: GroupSupply): GroupWeight[] =>
  row.weights.length === 0 ? [{ ...row, weight: null }] : row.weights.map((weight) => ({ ...row, weight }));

export const GROUPS_CSV: readonly CsvColumn<GroupWeight>[] = [
  { header: 'Group', value: (row) => groupText(row.group) },
  { header: 'Products', value: (row) => row.products },
  { header: 'Units', value: (row) => row.units },
  { header: 'Unit of measure', value: (row) => row.weight?.uom ?? null },
  { header: 'Estimated weight', value: (row) => fileWeight(row.weight?.estimated) },
  { header: 'Weight so far', value: (row) => fileWeight(row.weight?.weighed) },
];
