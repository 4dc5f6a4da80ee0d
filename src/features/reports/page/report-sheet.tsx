import { memo, type ReactNode } from 'react';
import { PrintTable, type PrintTableProps } from '../../../client/ui/print/print-table.tsx';
import { PrintSheet } from '../../../client/ui/print/print-sheet.tsx';
import { longDate } from '../../../shared/dates.ts';
import type { Estimate } from '../../copies/contract.ts';
import { ESTIMATE_COLUMNS } from '../../copies/estimate-errors.tsx';
import { ESTIMATE_ERRORS, ESTIMATE_ERRORS_HINT } from '../../copies/texts.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { ReportRow } from '../contract.ts';
import { MoneyChart } from '../money/money-chart.tsx';
import { OPEN_BALANCES_COLUMNS, PAYMENT_TOTALS_COLUMNS } from '../money/money-columns.tsx';
import { MoneyFigures } from '../money/money-figures.tsx';
import { openBalancesKey, paymentTotalsKey, type MoneyData } from '../money/money-section.tsx';
import { BY_CUSTOMER } from '../packing/packing-columns.tsx';
import { listsByCustomer } from '../packing/packing-lists.ts';
import { listKey } from '../packing/packing-section.tsx';
import { GROUP_COLUMNS, PURCHASE_LIST_COLUMNS } from '../purchase-list/purchase-list-columns.tsx';
import { PurchaseListCharts } from '../purchase-list/purchase-list-charts.tsx';
import { groupKey, purchaseItemKey, type PurchaseListData } from '../purchase-list/purchase-list-section.tsx';
import {
  EACH_PRODUCT,
  GROUPS,
  MONEY_DUE,
  MONEY_IN,
  NO_LINES,
  NO_PAYMENTS_YET,
  NOTHING_DUE,
  NOTHING_TO_BUY,
  PACKING_LISTS,
  PRODUCTS_TO_BUY,
  reportOfText,
  TO_BUY,
  WHO_GETS_WHAT,
} from '../texts.ts';

interface ReportSheetProps {
  distribution: Distribution;
  supply: PurchaseListData | undefined;
  rows: readonly ReportRow[] | undefined;
  money: MoneyData | undefined;
  /** The rows of the section with estimates. The rows are undefined while no unit has been weighed, and the section is then not printed. */
  estimates: readonly Estimate[] | undefined;
}

/** The printed report contains all sections, regardless of the tab and filters on the screen. */
export const ReportSheet = memo(function ReportSheet({ distribution, supply, rows, money, estimates }: ReportSheetProps): ReactNode {
  return (
    <PrintSheet>
      <header className="mb-5">
        <h1>{reportOfText(distribution.name)}</h1>
        <p className="mt-1">{longDate(distribution.date)}</p>
      </header>
      {supply && <SupplySheet supply={supply} />}
      {rows && (
        <Section title={WHO_GETS_WHAT} isNewPage>
          <SheetTable
            label={PACKING_LISTS}
            columns={BY_CUSTOMER}
            rows={listsByCustomer(rows, distribution.groupOrder)}
            rowKey={listKey}
            empty={NO_LINES}
          />
        </Section>
      )}
      {money && <MoneySheet money={money} />}
      {estimates && (
        <Section title={ESTIMATE_ERRORS} isNewPage>
          <p className="mb-3">{ESTIMATE_ERRORS_HINT}</p>
          <PrintTable
            label={ESTIMATE_ERRORS}
            columns={ESTIMATE_COLUMNS}
            rows={estimates.filter(({ weighed }) => weighed > 0)}
            rowKey={({ productId }) => productId}
          />
        </Section>
      )}
    </PrintSheet>
  );
});

function SupplySheet({ supply: { products, groups } }: { supply: PurchaseListData }): ReactNode {
  if (products.length === 0) {
    return (
      <Section title={TO_BUY}>
        <p>{NOTHING_TO_BUY}</p>
      </Section>
    );
  }
  return (
    <>
      <Section title={TO_BUY}>
        <PurchaseListCharts groups={groups} />
        <PrintTable label={GROUPS} columns={GROUP_COLUMNS} rows={groups} rowKey={groupKey} />
      </Section>
      <Section title={EACH_PRODUCT}>
        <PrintTable label={PRODUCTS_TO_BUY} columns={PURCHASE_LIST_COLUMNS} rows={products} rowKey={purchaseItemKey} />
      </Section>
    </>
  );
}

function MoneySheet({ money: { takings, dues, owing } }: { money: MoneyData }): ReactNode {
  return (
    <>
      <Section title={MONEY_IN} isNewPage>
        <MoneyFigures takings={takings} dues={dues} />
        <div className="my-5">
          <MoneyChart takings={takings} dues={dues} />
        </div>
        <SheetTable label={MONEY_IN} columns={PAYMENT_TOTALS_COLUMNS} rows={takings} rowKey={paymentTotalsKey} empty={NO_PAYMENTS_YET} />
      </Section>
      <Section title={MONEY_DUE}>
        <SheetTable label={MONEY_DUE} columns={OPEN_BALANCES_COLUMNS} rows={owing} rowKey={openBalancesKey} empty={NOTHING_DUE} />
      </Section>
    </>
  );
}

/** Renders a table, or the sentence `empty` if the table has no rows. */
function SheetTable<Row>({ empty, ...table }: PrintTableProps<Row> & { empty: string }): ReactNode {
  return table.rows.length === 0 ? <p>{empty}</p> : <PrintTable {...table} />;
}

function Section({ title, isNewPage = false, children }: { title: string; isNewPage?: boolean; children: ReactNode }): ReactNode {
  return (
    <section className={isNewPage ? 'break-before-page' : 'mt-6'}>
      <h2 className="mb-2">{title}</h2>
      {children}
    </section>
  );
}
