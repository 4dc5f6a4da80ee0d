import { TableProperties } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { useSearchParamState, writeSearchParams } from '../../../client/navigation/search-param-state.ts';
import { download } from '../../../client/api/download.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { withFilter } from '../../../client/ui/table/table-column.ts';
import { Table } from '../../../client/ui/table/table.tsx';
import { useTableParams } from '../../../client/ui/table/use-table-params.ts';
import { useTable } from '../../../client/ui/table/use-table.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import { nameDetails, withDetail } from '../../../domain/product-names.ts';
import { PriceChanges } from '../../catalogue/price-changes.tsx';
import { ShortDeliveryDialog } from '../../short-delivery/short-delivery-dialog.tsx';
import type { Distribution } from '../../distributions/contract.ts';
import { listProducts, type Product } from '../contract.ts';
import { productsCsv } from '../csv.ts';
import { GroupOrderButton } from './group-order.tsx';
import { useProductActions } from './use-product-actions.tsx';
import { ProductImportProgress } from '../import/import-progress.tsx';
import { groupOf, productColumns } from './product-columns.tsx';
import { ProductDialog } from '../edit/product-dialog.tsx';
import { isEnded, dismissImport, useProductImport } from '../import/product-import.ts';
import {
  ADD_PRODUCT,
  ALL_GROUPS,
  DOWNLOAD_CSV,
  EDIT_TABLE,
  ESTIMATE_NOTE,
  GROUP,
  NO_PRODUCTS,
  PRODUCTS,
  PRODUCTS_NOUN,
  productsInText,
  SEARCH_PRODUCTS,
  SEARCHED,
  SHOW_UPLOAD,
  UPLOAD_CSV,
} from '../texts.ts';
import { WaitingCard } from '../../waiting/waiting-card.tsx';
import { ImportDialog } from '../import/import-dialog.tsx';
import { DONE } from '../../../client/texts.ts';

/** The tab on which the distributor lists, adds, edits, downloads and imports products (spec §2). */
export function ProductsTab({ distribution }: { distribution: Distribution }): ReactNode {
  const read = useRead(listProducts, { id: distribution.id });
  if (read.data) return <Products distribution={distribution} products={read.data} />;
  return <Pending read={read} waiting={<SkeletonTable rows={8} hasHead />} />;
}

const ProductTable = lazyScreen(async () => (await import('../table/product-table.tsx')).ProductTable);

type Opened = { dialog: 'product'; product: Product | null } | { dialog: 'short delivery'; product: Product } | { dialog: 'upload' } | null;

// The value of the filter that shows all groups. It cannot be the name of a group, because names are trimmed.
const ALL = ' all';

function Products({ distribution, products }: { distribution: Distribution; products: readonly Product[] }): ReactNode {
  const { id: distributionId } = distribution;
  const [opened, setOpened] = useState<Opened>(null);
  const [view, setView] = useSearchParamState<'' | 'table'>('edit', '', ['', 'table']);
  const groups = useMemo(() => [...new Set(products.map(groupOf))], [products]);
  const [group, setGroup] = useSearchParamState('group', groups[0] ?? ALL, [ALL, ...groups]);
  const hasLimits = products.some((product) => product.total_limit !== null);
  const { clear, offer, askToDelete, dialogs } = useProductActions(distributionId, products);
  const rowActions = useMemo(
    () => ({
      onEdit: (product: Product) => setOpened({ dialog: 'product', product }),
      onClear: (product: Product) => void clear(product),
      onShortDelivery: (product: Product) => setOpened({ dialog: 'short delivery', product }),
      onOffer: (product: Product) => void offer(product),
      onDelete: askToDelete,
    }),
    [clear, offer, askToDelete],
  );
  const columns = useMemo(() => productColumns(rowActions, hasLimits), [rowActions, hasLimits]);
  const address = useTableParams('products', columns);
  const search = address.state.filters['product'] ?? '';
  // While the user searches, products of all groups are listed.
  const listed = search.trim() === '' ? group : ALL;
  const rows = useMemo(() => (listed === ALL ? products : products.filter((product) => groupOf(product) === listed)), [products, listed]);
  const table = useTable({ columns, rows, rowKey: (product) => product.id, ...address });
  const close = (): void => setOpened(null);
  const chooseGroup = (next: string): void => {
    writeSearchParams({ 'products.product': '' });
    setGroup(next);
  };
  const actions = (
    <>
      <Button variant="main" onClick={() => setOpened({ dialog: 'product', product: null })}>
        {ADD_PRODUCT}
      </Button>
      <Button onClick={() => setOpened({ dialog: 'upload' })}>{UPLOAD_CSV}</Button>
      {products.length > 0 && (
        <>
          <Button onClick={() => download(`products-${distributionId}.csv`, productsCsv(products))}>{DOWNLOAD_CSV}</Button>
          <Button icon={<TableProperties aria-hidden />} onClick={() => setView('table')}>
            {EDIT_TABLE}
          </Button>
          <GroupOrderButton distribution={distribution} products={products} />
          <PriceChanges distributionId={distributionId} />
        </>
      )}
    </>
  );
  const filters = (
    <div className="flex flex-col gap-3 border-b border-line px-4 py-3 md:flex-row md:items-end md:px-5">
      <SelectField
        label={GROUP}
        className="md:w-64"
        value={listed}
        onChange={(event) => chooseGroup(event.target.value)}
        options={[...groups.map((name) => ({ value: name, label: name })), { value: ALL, label: ALL_GROUPS }]}
      />
      <SearchField
        label={SEARCH_PRODUCTS}
        placeholder={SEARCHED}
        className="md:w-80"
        value={search}
        onValue={(text) => address.onState(withFilter(address.state, 'product', text))}
      />
    </div>
  );
  return (
    <>
      {opened?.dialog !== 'upload' && <LeftImport distributionId={distributionId} onShow={() => setOpened({ dialog: 'upload' })} />}
      {products.length === 0 ? (
        // The buttons have the same place here and above the list. React therefore keeps them when the first product is added, and they
        // keep the focus.
        <Card title={PRODUCTS} actions={actions}>
          <EmptyState text={NO_PRODUCTS} />
        </Card>
      ) : view === 'table' ? (
        <LazyPart fallback={<SkeletonTable rows={8} hasHead />}>
          <ProductTable
            distributionId={distributionId}
            products={products}
            rows={table.shown}
            filters={filters}
            menu={rowActions}
            onShowAll={() => chooseGroup(ALL)}
            onBack={() => setView('')}
          />
        </LazyPart>
      ) : (
        <Card title={PRODUCTS} subtitle={productsInText(products.length, groups.length)} actions={actions} isFlush>
          {filters}
          <Table table={table} label={PRODUCTS} noun={PRODUCTS_NOUN} picture="box" empty={NO_PRODUCTS} />
          {rows.some((product) => product.unit_qty_is_estimate) && (
            <p className="border-t border-line px-4 py-2.5 text-xs text-ink-soft md:px-5">{ESTIMATE_NOTE}</p>
          )}
        </Card>
      )}
      <WaitingCard distributionId={distributionId} timeZone={distribution.timeZone} />
      {opened?.dialog === 'product' && (
        <ProductDialog
          distributionId={distributionId}
          product={opened.product}
          products={products}
          onClose={close}
          onSaved={(product) => listed !== ALL && setGroup(groupOf(product))}
        />
      )}
      {opened?.dialog === 'short delivery' && (
        <ShortDeliveryDialog
          distribution={distribution}
          product={products.find(({ id }) => id === opened.product.id) ?? opened.product}
          name={withDetail(opened.product.name, nameDetails(products).get(opened.product.id))}
          onClose={close}
        />
      )}
      {dialogs}
      {opened?.dialog === 'upload' && <ImportDialog distribution={distribution} products={products} onClose={close} />}
    </>
  );
}

/** Shows an import whose dialog was closed: its progress and, until the user dismisses it, its result. */
function LeftImport({ distributionId, onShow }: { distributionId: number; onShow: () => void }): ReactNode {
  const shown = useProductImport(distributionId);
  if (!shown) return null;
  const action = isEnded(shown) ? (
    <Button onClick={() => dismissImport(distributionId)}>{DONE}</Button>
  ) : (
    <Button onClick={onShow}>{SHOW_UPLOAD}</Button>
  );
  return (
    <Card className="mb-5">
      <ProductImportProgress distributionId={distributionId} shown={shown} action={action} />
    </Card>
  );
}
