import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useAddressState } from '../../client/address-state.ts';
import { Card } from '../../client/ui/card.tsx';
import { CsvLinks } from '../../client/ui/csv-links.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { SearchField } from '../../client/ui/search-field.tsx';
import { SkeletonTable } from '../../client/ui/skeleton.tsx';
import { Table } from '../../client/ui/table.tsx';
import { withFilter } from '../../client/ui/table-column.ts';
import { useTableAddress } from '../../client/ui/use-table-address.ts';
import { useTable } from '../../client/ui/use-table.ts';
import { useRead } from '../../client/use-calls.ts';
import { readCustomerReport } from './contract.ts';
import type { CustomerReportRow } from './contract.ts';
import { CUSTOMERS_CSV } from './csv.ts';
import { CUSTOMER_COLUMNS } from './customer-columns.tsx';
import { CustomerViews, inView, VIEWS } from './customer-views.tsx';
import { OrderProgress, progressOf } from './order-progress.tsx';
import { VIEW_EMPTY } from './texts.ts';

export interface CustomersTabProps {
  distributionId: number;
  /** The distributor's; an agent only reads. */
  hasDownloads: boolean;
}

/** Every customer of a distribution with the state of their order (spec §2). */
export function CustomersTab({ distributionId, hasDownloads }: CustomersTabProps): ReactNode {
  const report = useRead(readCustomerReport, { id: distributionId });
  if (report.data) return <Customers rows={report.data} distributionId={distributionId} hasDownloads={hasDownloads} />;
  if (report.error) return <ErrorState text={report.error.message} onRetry={() => void report.refetch()} />;
  return <SkeletonTable rows={8} />;
}

interface CustomersProps extends CustomersTabProps {
  rows: readonly CustomerReportRow[];
}

function Customers({ rows, distributionId, hasDownloads }: CustomersProps): ReactNode {
  const [view, setView] = useAddressState('view', 'all', VIEWS);
  const { state, onState } = useTableAddress('customers', CUSTOMER_COLUMNS);
  const progress = useMemo(() => progressOf(rows), [rows]);
  const table = useTable({
    columns: CUSTOMER_COLUMNS,
    rows: useMemo(() => inView(rows, view), [rows, view]),
    rowKey: (row) => row.customer_id,
    state,
    onState,
  });
  return (
    <>
      <OrderProgress progress={progress} />
      <Card isFlush>
        <div className="no-print flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3">
          <CustomerViews rows={rows} view={view} onView={setView} />
          <SearchField
            label="Name or e-mail"
            value={state.filters['name'] ?? ''}
            onValue={(text) => onState(withFilter(state, 'name', text))}
            className="w-full md:w-64"
          />
          {hasDownloads && (
            <div className="flex flex-wrap gap-2.5 md:ml-auto">
              <CsvLinks
                fileName={`distribution-customers-${distributionId}-report`}
                columns={CUSTOMERS_CSV}
                rows={rows}
                shown={table.shown}
              />
            </div>
          )}
        </div>
        <Table table={table} label="Customers" noun="customers" empty={VIEW_EMPTY[view]} picture={view === 'all' ? 'people' : 'list'} />
      </Card>
    </>
  );
}
