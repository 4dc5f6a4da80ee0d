import { useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { rememberFollowedLink } from '../../../client/navigation/focus-memory.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { SkeletonStatCards, SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { withFilter } from '../../../client/ui/table/table-column.ts';
import { useTableParams } from '../../../client/ui/table/use-table-params.ts';
import { useTable } from '../../../client/ui/table/use-table.ts';
import { ANY_SCREEN, NARROW_DESK } from '../../../client/hooks/use-media.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { readCustomerReport, type CustomerReportRow } from '../contract.ts';
import { customersCsv } from '../csv.ts';
import { displayNameOf, CUSTOMER_COLUMNS, customerColumns, customersByName, detailColumns } from './customer-columns.tsx';
import { linksColumn, nextStep, type CustomerLinksProps } from './customer-actions.tsx';
import { CustomerViews, inView, VIEWS } from './customer-views.tsx';
import { PrintChoice } from './print-choice.tsx';
import { OrderProgress, progressOf } from './order-progress.tsx';
import { CUSTOMERS, CUSTOMERS_NOUN, nobodyText, SHOW_ALL, VIEW_EMPTY } from '../texts.ts';
import { CLEAR_SEARCH } from '../../../client/texts.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { EditContact } from '../../users/list/edit-contact.tsx';
import { customersText, NAME_EMAIL_OR_PHONE } from '../../users/texts.ts';
import type { PayNowProps } from '../../payments/pay/pay-dialog.tsx';
import { PayDialogs, useRowPayments } from '../../payments/pay/pay-button.tsx';

interface CustomersTabProps {
  distribution: Pick<Distribution, 'id' | 'acceptActuals' | 'rehearsal'>;
  /** The first segment of the paths of the viewer's screens. For an agent it is `/agent`, and the tab then offers no downloads. */
  home: CustomerLinksProps['home'];
}

/** Lists every customer of the distributor with the state of the customer's order in a distribution (spec §2). */
export function CustomersTab({ distribution, home }: CustomersTabProps): ReactNode {
  const report = useRead(readCustomerReport, { id: distribution.id });
  const rows = useMemo(() => report.data && customersByName(report.data), [report.data]);
  if (rows) return <Customers rows={rows} distribution={distribution} home={home} />;
  const skeleton = (
    <>
      <SkeletonStatCards />
      <SkeletonTable rows={8} hasHead />
    </>
  );
  return <Pending read={report} waiting={skeleton} />;
}

function Customers({ rows, distribution, home }: CustomersTabProps & { rows: readonly CustomerReportRow[] }): ReactNode {
  const { id: distributionId, acceptActuals: acceptsActuals, rehearsal } = distribution;
  const [view, setView] = useSearchParamState('view', 'all', VIEWS);
  const { state, onState } = useTableParams('customers', CUSTOMER_COLUMNS);
  const search = state.filters['name'] ?? '';
  const onSearch = (text: string): void => onState(withFilter(state, 'name', text));
  const progress = useMemo(() => progressOf(rows), [rows]);
  const [edited, setEdited] = useState<number | null>(null);
  const payments = useRowPayments();
  const { pay: onPay } = payments;
  const { mayTakePayments } = useUser();
  const takesPayments = home === '/distributor' || mayTakePayments === true;
  const details = useMemo(() => detailColumns(rows), [rows]);
  const table = useTable({
    columns: useMemo(
      () => [
        ...(home === '/distributor' && !rehearsal ? customerColumns(setEdited) : CUSTOMER_COLUMNS),
        ...details,
        linksColumn({ home, distributionId, acceptsActuals, takesPayments, onPay }),
      ],
      [home, distributionId, acceptsActuals, rehearsal, takesPayments, onPay, details],
    ),
    rows: useMemo(() => inView(rows, view), [rows, view]),
    rowKey: (row) => row.customer_id,
    state,
    onState,
  });
  const [, navigate] = useLocation();
  const openMatch = (): void => {
    const [match, another] = table.shown;
    const step = match && !another && search.trim() !== '' ? nextStep({ home, acceptsActuals, takesPayments }, match) : null;
    if (match === undefined || step === null) return;
    if ('pay' in step) return onPay(step.pay);
    rememberFollowedLink({ row: match.customer_id, href: step.href });
    navigate(step.href);
  };
  return (
    <>
      <OrderProgress progress={progress} />
      <Card
        title={CUSTOMERS}
        keepsFocus
        subtitle={rows.length === 0 ? undefined : customersText(table.shown.length, rows.length)}
        actions={
          home === '/distributor' && (
            <div className="contents *:grow max-md:*:px-3 md:*:grow-0 max-md:[&_svg]:hidden">
              <PrintChoice distributionId={distributionId} rows={rows} shown={table.shown} />
              <CsvLinks
                fileName={`distribution-customers-${distributionId}-report`}
                columns={customersCsv(rows)}
                table={{ rows, shown: table.shown }}
              />
            </div>
          )
        }
        isFlush
      >
        <div className="no-print flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3 md:px-5">
          <CustomerViews rows={rows} view={view} onView={setView} />
          <SearchField label={NAME_EMAIL_OR_PHONE} value={search} onValue={onSearch} onEnter={openMatch} className="w-full md:w-72" />
        </div>
        <Table
          table={table}
          label={CUSTOMERS}
          noun={CUSTOMERS_NOUN}
          empty={VIEW_EMPTY[view]}
          // If the table has columns for pick-up times or notes, the row's actions have no room even on a wide screen. Other columns are
          // then folded on every screen.
          foldOn={details.length > 0 ? ANY_SCREEN : NARROW_DESK}
          picture={view === 'all' ? 'people' : 'list'}
          noMatch={
            view !== 'all' && (
              <EmptyState
                picture="search"
                text={nobodyText(view, search.trim())}
                action={
                  <div className="flex flex-wrap gap-2.5">
                    <Button onClick={() => onSearch('')}>{CLEAR_SEARCH}</Button>
                    <Button onClick={() => setView('all')}>{SHOW_ALL}</Button>
                  </div>
                }
              />
            )
          }
        />
      </Card>
      {edited !== null && <EditContact people="customer" userId={edited} onClose={() => setEdited(null)} />}
      <PayDialogs payments={payments} orders={rows.flatMap(payableOf)} />
    </>
  );
}

const payableOf = (row: CustomerReportRow): PayNowProps[] =>
  row.order_id === null
    ? []
    : [
        {
          orderId: row.order_id,
          customer: displayNameOf(row),
          balance: row.balance,
          isReady: row.has_all_actuals,
          unconfirmed: row.unconfirmed_count,
        },
      ];
