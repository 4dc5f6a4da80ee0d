import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Card } from '../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../client/ui/table/csv-links.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Badge, type Tone } from '../../client/ui/feedback/badge.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import { NARROW_DESK } from '../../client/hooks/use-media.ts';
import { useUrlTable } from '../../client/ui/table/use-table-params.ts';
import { useRead } from '../../client/api/use-calls.ts';
import { withDetail } from '../../domain/product-names.ts';
import { paymentTime } from '../../shared/dates.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';
import { readActualsReport } from './contract.ts';
import { ACTUALS_CSV, stateOf, unitLines, placeText, recorderText, type UnitLine } from './csv.ts';
import { ACTUALS_HEADERS, ACTUALS_TITLE, NO_ACTUALS, STATE_LABELS, UNITS, withUom, weighedText } from './texts.ts';
import { quantityText } from './weighing/weights.ts';

const TONES: Record<keyof typeof STATE_LABELS, Tone> = { weighed: 'good', unusual: 'wait', notDelivered: 'wait', notWeighed: 'none' };

const weightOfRow = (row: UnitLine): string => (row.recorded ? withUom(quantityText(row.recorded.actualQuantity), row.uom) : '');

const COLUMNS: readonly Column<UnitLine>[] = [
  {
    id: 'product',
    header: ACTUALS_HEADERS.product,
    value: (row) => withDetail(row.productName, row.nameDetail),
    filter: 'text',
    card: 'title',
    width: '15rem',
  },
  {
    id: 'unit',
    header: ACTUALS_HEADERS.unit,
    value: (row) => row.index,
    text: placeText,
    filter: 'text',
    align: 'end',
    isFolded: true,
    width: '6rem',
  },
  {
    id: 'code',
    header: ACTUALS_HEADERS.code,
    value: (row) => row.productCode,
    filter: 'text',
    align: 'end',
    isFolded: true,
    width: '6rem',
  },
  { id: 'customer', header: ACTUALS_HEADERS.customer, value: sortNameOrEmail, filter: 'text', width: '11rem' },
  {
    id: 'estimate',
    header: ACTUALS_HEADERS.estimate,
    value: (row) => row.unit_qty,
    text: (row) => withUom(row.unit_qty, row.uom),
    filter: 'text',
    align: 'end',
    isFolded: true,
    width: '6.5rem',
  },
  {
    id: 'weight',
    header: ACTUALS_HEADERS.weight,
    value: (row) => row.recorded?.actualQuantity ?? null,
    text: weightOfRow,
    filter: 'text',
    align: 'end',
    width: '6.5rem',
  },
  {
    id: 'state',
    header: ACTUALS_HEADERS.state,
    value: (row) => STATE_LABELS[stateOf(row)],
    cell: (row) => <Badge tone={TONES[stateOf(row)]}>{STATE_LABELS[stateOf(row)]}</Badge>,
    filter: 'text',
    width: '9.5rem',
  },
  {
    id: 'recorded',
    header: ACTUALS_HEADERS.recorded,
    value: (row) => row.recorded?.updatedAt ?? null,
    text: (row) => (row.recorded ? `${paymentTime(row.recorded.updatedAt)} ${recorderText(row)}` : ''),
    cell: (row) => row.recorded && <Recorded at={row.recorded.updatedAt} by={recorderText(row)} />,
    filter: 'text',
    isFolded: true,
    width: '11.5rem',
  },
];

function Recorded({ at, by }: { at: string; by: string }): ReactNode {
  return (
    <>
      <span className="whitespace-nowrap">{paymentTime(at)}</span>
      <span className="block text-xs wrap-anywhere text-ink-soft">{by}</span>
    </>
  );
}

/**
 * Renders the tab that lists every ordered unit of the estimate products with its weight. A unit's label is index/quantity, such as 2/3
 * (spec §2, §3).
 */
export function ActualsTab({ distributionId }: { distributionId: number }): ReactNode {
  const report = useRead(readActualsReport, { id: distributionId });
  const rows = useMemo(() => (report.data ? unitLines(report.data) : []), [report.data]);
  const table = useUrlTable('actuals', { columns: COLUMNS, rows, rowKey: (row) => `${row.orderProductId}-${row.index ?? 'others'}` });
  if (!report.data) return <Pending read={report} waiting={<SkeletonTable rows={8} hasHead />} />;
  const weighed = rows.filter((row) => row.recorded).length;
  const expected = weighed + rows.reduce((units, row) => units + row.unweighed, 0);
  return (
    <Card
      title={ACTUALS_TITLE}
      subtitle={rows.length === 0 ? undefined : weighedText(weighed, expected)}
      actions={<CsvLinks fileName={`distribution-${distributionId}-actuals-report`} columns={ACTUALS_CSV} table={table} />}
      isFlush
    >
      <Table table={table} label={ACTUALS_TITLE} noun={UNITS} empty={NO_ACTUALS} picture="scale" foldOn={NARROW_DESK} />
    </Card>
  );
}
