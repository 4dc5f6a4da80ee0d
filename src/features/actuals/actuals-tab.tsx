import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Card } from '../../client/ui/card.tsx';
import { CsvLinks } from '../../client/ui/csv-links.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { Pill, type Tone } from '../../client/ui/pill.tsx';
import { SkeletonTable } from '../../client/ui/skeleton.tsx';
import type { Column } from '../../client/ui/table-column.ts';
import { Table } from '../../client/ui/table.tsx';
import { useTableAddress } from '../../client/ui/use-table-address.ts';
import { useTable } from '../../client/ui/use-table.ts';
import { useRead } from '../../client/use-calls.ts';
import { paymentTime } from '../../shared/dates.ts';
import { listedAs } from '../users/texts.ts';
import { readActualsReport } from './contract.ts';
import { ACTUALS_CSV, stateOf, unitLines, placeText, recorderText, type UnitLine } from './csv.ts';
import { NO_ACTUALS, NOT_DELIVERED, NOT_WEIGHED, UNUSUAL, WEIGHED, withUom, weighedText } from './texts.ts';
import { quantityText } from './weights.tsx';

const TONES: Record<ReturnType<typeof stateOf>, Tone> = {
  [WEIGHED]: 'good',
  [UNUSUAL]: 'wait',
  [NOT_DELIVERED]: 'wait',
  [NOT_WEIGHED]: 'none',
};

const weightOfRow = (row: UnitLine): string => (row.recorded ? withUom(quantityText(row.recorded.actualQuantity), row.uom) : '');

const COLUMNS: readonly Column<UnitLine>[] = [
  { id: 'product', header: 'Product', value: (row) => row.productName, filter: 'text', card: 'title', width: '13rem' },
  {
    id: 'unit',
    header: 'Unit',
    value: (row) => row.index,
    text: placeText,
    filter: 'text',
    align: 'end',
    width: '6rem',
  },
  { id: 'code', header: 'Code', value: (row) => row.productCode, filter: 'text', align: 'end', width: '7rem' },
  { id: 'customer', header: 'Customer', value: listedAs, filter: 'text', width: '11rem' },
  {
    id: 'estimate',
    header: 'Estimate',
    value: (row) => row.unit_qty,
    text: (row) => withUom(row.unit_qty, row.uom),
    filter: 'text',
    align: 'end',
    width: '7.5rem',
  },
  {
    id: 'weight',
    header: 'Weight',
    value: (row) => row.recorded?.actualQuantity ?? null,
    text: weightOfRow,
    filter: 'text',
    align: 'end',
    width: '7.5rem',
  },
  {
    id: 'state',
    header: 'State',
    value: stateOf,
    cell: (row) => <Pill tone={TONES[stateOf(row)]}>{stateOf(row)}</Pill>,
    filter: 'text',
    width: '12rem',
  },
  {
    id: 'recorded',
    header: 'Recorded',
    value: (row) => row.recorded?.updatedAt ?? null,
    text: (row) => (row.recorded ? paymentTime(row.recorded.updatedAt) : ''),
    filter: 'text',
    width: '11rem',
  },
  { id: 'by', header: 'Recorded by', value: recorderText, filter: 'text', width: '17rem' },
];

/** Every ordered unit that is weighed, labelled index/quantity, with its weight (spec §2, §3). */
export function ActualsTab({ distributionId }: { distributionId: number }): ReactNode {
  const report = useRead(readActualsReport, { id: distributionId });
  const rows = useMemo(() => (report.data ? unitLines(report.data) : []), [report.data]);
  const table = useTable({
    columns: COLUMNS,
    rows,
    rowKey: (row) => `${row.orderProductId}-${row.index ?? 'others'}`,
    ...useTableAddress('actuals', COLUMNS),
  });
  if (!report.data) {
    if (report.error) return <ErrorState text={report.error.message} onRetry={() => void report.refetch()} />;
    return <SkeletonTable rows={8} />;
  }
  const weighed = rows.filter((row) => row.recorded).length;
  const expected = weighed + rows.reduce((units, row) => units + row.unweighed, 0);
  return (
    <Card
      title="Actuals"
      subtitle={rows.length === 0 ? undefined : weighedText(weighed, expected)}
      actions={
        rows.length > 0 && (
          <CsvLinks fileName={`distribution-${distributionId}-actuals-report`} columns={ACTUALS_CSV} rows={rows} shown={table.shown} />
        )
      }
      isFlush
    >
      <Table table={table} label="Actuals" noun="units" empty={NO_ACTUALS} picture="scale" />
    </Card>
  );
}
