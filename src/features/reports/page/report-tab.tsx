import { useMemo, type ReactNode } from 'react';
import { ButtonLink } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { EmailText } from '../../../client/ui/table/email-text.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import { NARROW_DESK } from '../../../client/hooks/use-media.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import { readReport, type ReportRow } from '../contract.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { LINE_HEADERS, LINES_NOUN, linesText, NO_LINES, OPEN_REPORT_PAGE, REPORT } from '../texts.ts';
import { LINES_CSV } from '../csv.ts';

/**
 * A row of the report with its line number. The line number is the row's key in the table, because two products of an order may have the
 * same name and no code.
 */
type Line = ReportRow & { readonly line: number };

const COLUMNS: readonly Column<Line>[] = [
  {
    id: 'email',
    header: LINE_HEADERS.email,
    value: (row) => row.email,
    cell: (row) => <EmailText email={row.email} />,
    filter: 'text',
    isFolded: true,
    width: '14.5rem',
  },
  { id: 'firstName', header: LINE_HEADERS.firstName, value: (row) => row.firstName, filter: 'text', width: '7.5rem' },
  { id: 'lastName', header: LINE_HEADERS.lastName, value: (row) => row.lastName, filter: 'text', width: '8rem' },
  { id: 'order', header: LINE_HEADERS.order, value: (row) => row.orderId, filter: 'text', align: 'end', width: '6rem' },
  {
    id: 'product',
    header: LINE_HEADERS.product,
    value: (row) => withDetail(row.productName, row.nameDetail),
    filter: 'text',
    card: 'title',
    width: '14.5rem',
  },
  { id: 'category', header: LINE_HEADERS.category, value: (row) => row.productCategory, filter: 'text', isFolded: true, width: '9.5rem' },
  { id: 'code', header: LINE_HEADERS.code, value: (row) => row.productCode, filter: 'text', align: 'end', isFolded: true, width: '6rem' },
  { id: 'quantity', header: LINE_HEADERS.quantity, value: (row) => row.quantity, filter: 'text', align: 'end', width: '6.5rem' },
];

/** Lists every ordered line of a distribution, with a filter per column (spec §2). */
export function ReportTab({ distributionId }: { distributionId: number }): ReactNode {
  const report = useRead(readReport, { id: distributionId });
  const lines = useMemo(() => (report.data ?? []).map((row, line): Line => ({ ...row, line })), [report.data]);
  const table = useUrlTable('report', { columns: COLUMNS, rows: lines, rowKey: (row) => row.line });
  if (!report.data) return <Pending read={report} waiting={<SkeletonTable rows={8} hasHead />} />;
  return (
    <Card
      title={REPORT}
      subtitle={lines.length === 0 ? undefined : linesText(table.shown.length, lines.length)}
      actions={
        <>
          <ButtonLink href={`/distributor/distribution/${distributionId}/report`}>{OPEN_REPORT_PAGE}</ButtonLink>
          <CsvLinks fileName={`distribution-${distributionId}-report`} columns={LINES_CSV} table={table} />
        </>
      }
      isFlush
    >
      <Table table={table} label={REPORT} noun={LINES_NOUN} empty={NO_LINES} foldOn={NARROW_DESK} />
    </Card>
  );
}
