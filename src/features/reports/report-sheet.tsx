import { memo } from 'react';
import type { ReactNode } from 'react';
import { PaperTable } from '../../client/ui/paper-table.tsx';
import { PrintSheet } from '../../client/ui/print-sheet.tsx';
import { longDate } from '../../shared/dates.ts';
import type { Distribution } from '../distributions/contract.ts';
import type { ReportRow } from './contract.ts';
import { MoneyChart } from './money-chart.tsx';
import { DUE_COLUMNS, TAKINGS_COLUMNS } from './money-columns.tsx';
import { MoneyFigures } from './money-figures.tsx';
import { owingKey, takingsKey, type MoneyData } from './money-part.tsx';
import { BY_CUSTOMER } from './packing-columns.tsx';
import { listsByCustomer } from './packing-lists.tsx';
import { listKey } from './packing-part.tsx';
import { GROUP_COLUMNS, SUPPLY_COLUMNS } from './supply-columns.tsx';
import { SupplyCharts } from './supply-charts.tsx';
import { groupKey, supplyKey, type SupplyData } from './supply-part.tsx';
import { NO_LINES, NO_PAYMENTS_YET, NOTHING_DUE, NOTHING_TO_BUY } from './texts.ts';

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
        <h1>{`Report: ${distribution.name}`}</h1>
        <p className="mt-1">{longDate(distribution.date)}</p>
      </header>
      {supply && <SupplySheet supply={supply} />}
      {rows && (
        <Section title="Who gets what" isNewPage>
          {rows.length === 0 ? (
            <p>{NO_LINES}</p>
          ) : (
            <PaperTable label="Packing lists" columns={BY_CUSTOMER} rows={listsByCustomer(rows)} rowKey={listKey} />
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
      <Section title="To buy from suppliers">
        <p>{NOTHING_TO_BUY}</p>
      </Section>
    );
  }
  return (
    <>
      <Section title="To buy from suppliers">
        <SupplyCharts groups={groups} />
        <PaperTable label="Groups" columns={GROUP_COLUMNS} rows={groups} rowKey={groupKey} />
      </Section>
      <Section title="By product">
        <PaperTable label="Products to buy" columns={SUPPLY_COLUMNS} rows={products} rowKey={supplyKey} />
      </Section>
    </>
  );
}

function MoneySheet({ money: { takings, dues, owing } }: { money: MoneyData }): ReactNode {
  return (
    <>
      <Section title="Money in" isNewPage>
        <MoneyFigures takings={takings} dues={dues} />
        <div className="my-5">
          <MoneyChart takings={takings} dues={dues} />
        </div>
        {takings.length === 0 ? (
          <p>{NO_PAYMENTS_YET}</p>
        ) : (
          <PaperTable label="Money in" columns={TAKINGS_COLUMNS} rows={takings} rowKey={takingsKey} />
        )}
      </Section>
      <Section title="Money due">
        {owing.length === 0 ? <p>{NOTHING_DUE}</p> : <PaperTable label="Money due" columns={DUE_COLUMNS} rows={owing} rowKey={owingKey} />}
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
