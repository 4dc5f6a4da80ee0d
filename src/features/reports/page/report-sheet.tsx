import { memo } from 'react';
import type { ReactNode } from 'react';
import { PaperTable } from '../../../client/ui/print/print-table.tsx';
import { PrintSheet } from '../../../client/ui/print/print-sheet.tsx';
import { longDate } from '../../../shared/dates.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { ReportRow } from '../contract.ts';
import { MoneyChart } from '../money/money-chart.tsx';
import { DUE_COLUMNS, TAKINGS_COLUMNS } from '../money/money-columns.tsx';
import { MoneyFigures } from '../money/money-figures.tsx';
import { owingKey, takingsKey, type MoneyData } from '../money/money-section.tsx';
import { BY_CUSTOMER } from '../packing/packing-columns.tsx';
import { listsByCustomer } from '../packing/packing-lists.ts';
import { listKey } from '../packing/packing-section.tsx';
import { GROUP_COLUMNS, SUPPLY_COLUMNS } from '../purchase-list/purchase-list-columns.tsx';
import { SupplyCharts } from '../purchase-list/purchase-list-charts.tsx';
import { groupKey, supplyKey, type SupplyData } from '../purchase-list/purchase-list-section.tsx';
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

export interface ReportSheetProps {
  distribution: Distribution;
  supply: SupplyData | undefined;
  rows: readonly ReportRow[] | undefined;
  money: MoneyData | undefined;
}

/** The whole report on paper, whatever tab and filters the screen shows. */
export const ReportSheet = memo(function ReportSheet({ distribution, supply, rows, money }: ReportSheetProps): ReactNode {
  return (
    <PrintSheet>
      <header className="mb-5">
        <h1>{reportOfText(distribution.name)}</h1>
        <p className="mt-1">{longDate(distribution.date)}</p>
      </header>
      {supply && <SupplySheet supply={supply} />}
      {rows && (
        <Section title={WHO_GETS_WHAT} isNewPage>
          {rows.length === 0 ? (
            <p>{NO_LINES}</p>
          ) : (
            <PaperTable
              label={PACKING_LISTS}
              columns={BY_CUSTOMER}
              rows={listsByCustomer(rows, distribution.groupOrder)}
              rowKey={listKey}
            />
          )}
        </Section>
      )}
      {money && <MoneySheet money={money} />}
    </PrintSheet>
  );
});

function SupplySheet({ supply: { products, groups } }: { supply: SupplyData }): ReactNode {
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
        <SupplyCharts groups={groups} />
        <PaperTable label={GROUPS} columns={GROUP_COLUMNS} rows={groups} rowKey={groupKey} />
      </Section>
      <Section title={EACH_PRODUCT}>
        <PaperTable label={PRODUCTS_TO_BUY} columns={SUPPLY_COLUMNS} rows={products} rowKey={supplyKey} />
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
        {takings.length === 0 ? (
          <p>{NO_PAYMENTS_YET}</p>
        ) : (
          <PaperTable label={MONEY_IN} columns={TAKINGS_COLUMNS} rows={takings} rowKey={takingsKey} />
        )}
      </Section>
      <Section title={MONEY_DUE}>
        {owing.length === 0 ? <p>{NOTHING_DUE}</p> : <PaperTable label={MONEY_DUE} columns={DUE_COLUMNS} rows={owing} rowKey={owingKey} />}
      </Section>
    </>
  );
}

interface SectionProps {
  title: string;
  isNewPage?: boolean;
  children: ReactNode;
}

function Section({ title, isNewPage = false, children }: SectionProps): ReactNode {
  return (
    <section className={isNewPage ? 'break-before-page' : 'mt-6'}>
      <h2 className="mb-2">{title}</h2>
      {children}
    </section>
  );
}
