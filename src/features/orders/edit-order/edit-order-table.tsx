import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { Card } from '../../../client/ui/layout/card.tsx';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { Chips, SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import { nameDetails } from '../../../domain/product-names.ts';
import type { Product } from '../../products/contract.ts';
import { OTHER_GROUP } from '../../products/texts.ts';
import { ALL, groupsOf } from '../order-page/product-groups.ts';
import { editOrderColumns, type EditedRow } from './edit-order-columns.tsx';
import { CATEGORIES, EDIT_VIEWS, NO_PRODUCTS, NOTHING_ORDERED, PRODUCTS, PRODUCTS_NOUN, VIEW } from '../texts.ts';
import { useFilterKeys } from './use-filter-keys.ts';
import type { OrderEditing } from '../shared/use-order-editing.ts';

interface EditOrderTableProps {
  products: readonly Product[];
  /** Maps product ids to the quantity that the customer requested last. */
  customerQuantities: ReadonlyMap<number, number>;
  editing: Pick<OrderEditing, 'loaded' | 'quantities' | 'type' | 'set'>;
  isReadOnly: boolean;
}

function useRows({ products, customerQuantities, editing: { loaded, quantities } }: EditOrderTableProps): readonly EditedRow[] {
  const [known] = useState(() => new Map<number, EditedRow>());
  const details = useMemo(() => nameDetails(products), [products]);
  return useMemo(
    () =>
      products.map((product) => {
        const { id } = product;
        const before = known.get(id);
        const row = {
          product,
          quantity: quantities.get(id) ?? 0,
          loaded: loaded.get(id) ?? 0,
          customerQuantity: customerQuantities.get(id) ?? null,
          detail: details.get(id),
        };
        if (before && isSame(before, row)) return before;
        known.set(id, row);
        return row;
      }),
    [known, products, details, customerQuantities, loaded, quantities],
  );
}

const isSame = (a: EditedRow, b: EditedRow): boolean =>
  a.product === b.product &&
  a.quantity === b.quantity &&
  a.loaded === b.loaded &&
  a.customerQuantity === b.customerQuantity &&
  a.detail === b.detail;

const VIEWS = ['all', 'ordered'] as const;

/** Lists all products, or only the ordered ones, with their quantities. The URL keeps the chosen view (contract §10). */
export function EditOrderTable(props: EditOrderTableProps): ReactNode {
  const { type: onText, set: onRestore } = props.editing;
  const { isReadOnly } = props;
  const rows = useRows(props);
  const [view, setView] = useSearchParamState('show', 'all', VIEWS);
  const ordered = rows.filter((row) => row.quantity > 0);
  // A product whose quantity is set to 0 stays visible until the user changes the view, so that the user can undo it in place.
  const [kept, setKept] = useState(() => ({ view, ids: idsOf(ordered) }));
  if (kept.view !== view) setKept({ view, ids: idsOf(ordered) });

  const columns = useMemo(() => editOrderColumns({ onText, onRestore, isReadOnly }), [onText, onRestore, isReadOnly]);
  const isPhone = useMedia(PHONE);
  const { group, setGroup, groups, isOfGroup } = useGroup(props.products, isPhone && view === 'all');
  const shown = useMemo(
    () => rows.filter((row) => (view === 'all' ? isOfGroup(row.product) : row.quantity > 0 || kept.ids.has(row.product.id))),
    [rows, view, kept, isOfGroup],
  );
  const table = useUrlTable('order', { columns, rows: shown, rowKey: (row) => row.product.id });
  const options = [
    { value: 'all' as const, label: EDIT_VIEWS.all, count: rows.length },
    { value: 'ordered' as const, label: EDIT_VIEWS.ordered, count: ordered.length },
  ];
  const filterKeys = useFilterKeys(table);
  return (
    <Card isFlush>
      <div className="border-b border-line px-4 py-3">
        <SegmentedControl label={VIEW} options={options} value={view} onValue={setView} />
        {groups.length > 0 && <Chips label={CATEGORIES} options={groups} value={group} onValue={setGroup} className="-mx-1 mt-2" />}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles key presses in the fields inside */}
      <div {...filterKeys}>
        <Table table={table} label={PRODUCTS} noun={PRODUCTS_NOUN} empty={view === 'all' ? NO_PRODUCTS : NOTHING_ORDERED} />
      </div>
    </Card>
  );
}

/**
 * Returns the filter by product group. It is used on phones, where chips replace the filters of the table. There are no chips if all
 * products are in one group.
 */
function useGroup(products: readonly Product[], isOffered: boolean) {
  const names = useMemo(() => groupsOf(products).map(({ name }) => name), [products]);
  const [chosen, setGroup] = useSearchParamState('group', ALL, names);
  const group = isOffered ? chosen : ALL;
  const isOfGroup = useCallback((product: Product) => group === ALL || (product.product_group ?? OTHER_GROUP) === group, [group]);
  const all = { value: ALL, label: EDIT_VIEWS.all };
  const groups = isOffered && names.length > 1 ? [all, ...names.map((name) => ({ value: name, label: name }))] : [];
  return { group, setGroup, groups, isOfGroup };
}

const idsOf = (rows: readonly EditedRow[]): ReadonlySet<number> => new Set(rows.map((row) => row.product.id));
