import type { ReactNode } from 'react';
import { Card } from '../../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import type { PurchaseGroup, PurchaseItem } from '../../../domain/purchase-list.ts';
import type { Product } from '../../products/contract.ts';
import { GROUPS_CSV, groupWeights, PURCHASE_LIST_CSV } from '../csv.ts';
import { GROUP_COLUMNS, PURCHASE_LIST_COLUMNS, type NamedProduct } from './purchase-list-columns.tsx';
import { PurchaseListCharts } from './purchase-list-charts.tsx';
import {
  DOWNLOAD_GROUPS,
  DOWNLOAD_PRODUCTS,
  EACH_PRODUCT,
  GROUPS,
  GROUPS_NOUN,
  NOTHING_TO_BUY,
  PRODUCTS_NOUN,
  PRODUCTS_TO_BUY,
  TO_BUY,
  toBuyText,
} from '../texts.ts';

export interface PurchaseListData {
  products: readonly PurchaseItem<NamedProduct>[];
  groups: readonly PurchaseGroup[];
}

/** This section of the report shows the purchase list by group and by product (contract §9). */
export function PurchaseListSection({ distributionId, supply }: { distributionId: number; supply: PurchaseListData }): ReactNode {
  const { products, groups } = supply;
  const groupTable = useUrlTable('groups', { columns: GROUP_COLUMNS, rows: groups, rowKey: groupKey });
  const table = useUrlTable('supply', { columns: PURCHASE_LIST_COLUMNS, rows: products, rowKey: purchaseItemKey });
  const units = groups.reduce((sum, group) => sum + group.units, 0);
  if (products.length === 0) {
    return (
      <Card title={TO_BUY} isFlush>
        <Table table={table} label={PRODUCTS_TO_BUY} noun={PRODUCTS_NOUN} picture="box" empty={NOTHING_TO_BUY} />
      </Card>
    );
  }
  return (
    <div className="grid gap-6">
      <Card
        title={TO_BUY}
        subtitle={toBuyText({ units, products: products.length, groups: groups.length })}
        actions={
          <CsvLinks
            label={DOWNLOAD_GROUPS}
            fileName={`distribution-${distributionId}-supply-groups`}
            columns={GROUPS_CSV}
            table={{ rows: groups.flatMap(groupWeights), shown: groupTable.shown.flatMap(groupWeights) }}
          />
        }
        isFlush
      >
        <PurchaseListCharts groups={groups} />
        <div className="border-t border-line">
          <Table table={groupTable} label={GROUPS} noun={GROUPS_NOUN} empty={NOTHING_TO_BUY} />
        </div>
      </Card>
      <Card
        title={EACH_PRODUCT}
        actions={
          <CsvLinks
            label={DOWNLOAD_PRODUCTS}
            fileName={`distribution-${distributionId}-supply`}
            columns={PURCHASE_LIST_CSV}
            table={table}
          />
        }
        isFlush
      >
        <Table table={table} label={PRODUCTS_TO_BUY} noun={PRODUCTS_NOUN} picture="box" empty={NOTHING_TO_BUY} />
      </Card>
    </div>
  );
}

export const groupKey = (row: PurchaseGroup): string => row.group ?? '';
export const purchaseItemKey = (row: PurchaseItem<Product>): number => row.product.id;
