import type { ReactNode } from 'react';
import { useRead } from '../../client/api/use-calls.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../client/ui/table/csv-links.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { Table } from '../../client/ui/table/table.tsx';
import { useUrlTable } from '../../client/ui/table/use-table-params.ts';
import { withDetail } from '../../domain/product-names.ts';
import { withUom } from '../actuals/texts.ts';
import { groupText } from '../products/texts.ts';
import { readEstimates, type Estimate } from './contract.ts';
import { errorOf, ESTIMATES_CSV } from './csv.ts';
import {
  DOWNLOAD_ESTIMATES,
  ESTIMATE_ERRORS,
  ESTIMATE_ERRORS_HINT,
  ESTIMATE_HEADERS,
  ESTIMATES_NOUN,
  errorText,
  NO_ESTIMATES,
  NONE,
} from './texts.ts';

const weightText = (weight: number | null, { uom }: Estimate): string => (weight === null ? NONE : withUom(weight, uom));

const weightColumn = (id: 'estimate' | 'mean' | 'spread' | 'proposed', width: string): Column<Estimate> => ({
  id,
  header: ESTIMATE_HEADERS[id],
  value: (row) => row[id],
  text: (row) => weightText(row[id], row),
  align: 'end',
  width,
});

export const ESTIMATE_COLUMNS: readonly Column<Estimate>[] = [
  { id: 'code', header: ESTIMATE_HEADERS.code, value: (row) => row.product_code, filter: 'text', align: 'end', width: '6.5rem' },
  {
    id: 'product',
    header: ESTIMATE_HEADERS.product,
    value: (row) => withDetail(row.name, row.nameDetail),
    filter: 'text',
    card: 'title',
    width: '15rem',
  },
  { id: 'group', header: ESTIMATE_HEADERS.group, value: (row) => groupText(row.product_group), filter: 'text', width: '10rem' },
  weightColumn('estimate', '7rem'),
  weightColumn('mean', '7.5rem'),
  {
    id: 'error',
    header: ESTIMATE_HEADERS.error,
    value: errorOf,
    text: (row) => (errorOf(row) === null ? NONE : errorText(errorOf(row) ?? 0)),
    align: 'end',
    width: '6.5rem',
  },
  weightColumn('spread', '7.5rem'),
  { id: 'weighed', header: ESTIMATE_HEADERS.weighed, value: (row) => row.weighed, align: 'end', width: '6.5rem' },
  weightColumn('proposed', '7rem'),
];

/** Shows how far each estimate was from the recorded weights (contract §13). */
export function EstimateErrors({ distributionId }: { distributionId: number }): ReactNode {
  const read = useRead(readEstimates, { id: distributionId });
  const table = useUrlTable('estimates', { columns: ESTIMATE_COLUMNS, rows: read.data ?? [], rowKey: (row) => row.productId });
  if (!read.data) return <Pending read={read} waiting={<SkeletonTable rows={8} hasHead />} />;
  return (
    <Card
      title={ESTIMATE_ERRORS}
      subtitle={ESTIMATE_ERRORS_HINT}
      actions={
        <CsvLinks label={DOWNLOAD_ESTIMATES} fileName={`distribution-${distributionId}-estimates`} columns={ESTIMATES_CSV} table={table} />
      }
      isFlush
    >
      <Table table={table} label={ESTIMATE_ERRORS} noun={ESTIMATES_NOUN} picture="box" empty={NO_ESTIMATES} />
    </Card>
  );
}
