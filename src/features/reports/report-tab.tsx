import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../client/ui/button.tsx';
import { Card } from '../../client/ui/card.tsx';
import { CsvLinks } from '../../client/ui/csv-links.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { SkeletonTable } from '../../client/ui/skeleton.tsx';
import { Table } from '../../client/ui/table.tsx';
import type { Column } from '../../client/ui/table-column.ts';
import { useTableAddress } from '../../client/ui/use-table-address.ts';
import { useTable } from '../../client/ui/use-table.ts';
import { useRead } from '../../client/use-calls.ts';
import { readReport } from './contract.ts';
import type { ReportRow } from './contract.ts';
import { NO_LINES } from './texts.ts';

/** Numbered, because two products of an order may have the same name and no code. */
type Line = ReportRow & { readonly line: number };

/** Drives the table, its filters and the file. */
const COLUMNS: readonly Column<Line>[] = [
  { id: 'email', header: 'Email', value: (row) => row.email, filter: 'text', width: '13rem' },
  { id: 'firstName', header: 'First name', value: (row) => row.firstName, filter: 'text', width: '7.5rem' },
  { id: 'lastName', header: 'Last name', value: (row) => row.lastName, filter: 'text', width: '8rem' },
  { id: 'order', header: 'Order', value: (row) => row.orderId, filter: 'text', align: 'end', width: '7rem' },
  { id: 'product', header: 'Product', value: (row) => row.productName, filter: 'text', card: 'title', width: '13rem' },
  { id: 'category', header: 'Category', value: (row) => row.productCategory, filter: 'text', width: '8.5rem' },
  { id: 'code', header: 'Code', value: (row) => row.productCode, filter: 'text', align: 'end', width: '7rem' },
  { id: 'quantity', header: 'Quantity', value: (row) => row.quantity, filter: 'text', align: 'end', width: '7rem' },
];

/** Every ordered line, a filter box per column (spec §2). */
export function ReportTab({ distributionId }: { distributionId: number }): ReactNode {
  const report = useRead(readReport, { id: distributionId });
  const lines = useMemo(() => (report.data ?? []).map((row, line): Line => ({ ...row, line })), [report.data]);
  const table = useTable({
    columns: COLUMNS,
    rows: lines,
    rowKey: (row) => row.line,
    ...useTableAddress('report', COLUMNS),
  });
  if (!report.data) {
    if (report.error) return <ErrorState text={report.error.message} onRetry={() => void report.refetch()} />;
    return <SkeletonTable rows={8} />;
  }
  return (
    <Card
      title="Report"
      subtitle={table.total === 0 ? undefined : linesText(table.shown.length, table.total)}
      actions={
        <>
          <ButtonLink href={`/distributor/distribution/${distributionId}/report`}>Open the report page</ButtonLink>
          {table.total > 0 && (
            <CsvLinks fileName={`distribution-${distributionId}-report`} columns={COLUMNS} rows={lines} shown={table.shown} />
          )}
        </>
      }
      isFlush
    >
      <Table table={table} label="Report" noun="lines" empty={NO_LINES} />
    </Card>
  );
}

const count = (lines: number): string => lines.toLocaleString('en-US');
const linesText = (shown: number, total: number): string =>
  `${shown === total ? '' : `${count(shown)} of `}${count(total)} ordered ${total === 1 ? 'line' : 'lines'}`;
