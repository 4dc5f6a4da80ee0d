import type { ReactNode } from 'react';
import { Card } from '../../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import type { OpenBalances, PaymentTotals } from '../../../domain/payment-totals.ts';
import type { CustomerReportRow } from '../contract.ts';
import { MoneyChart } from './money-chart.tsx';
import { OPEN_BALANCES_CSV, PAYMENT_TOTALS_CSV } from '../csv.ts';
import { OPEN_BALANCES_COLUMNS, PAYMENT_TOTALS_COLUMNS } from './money-columns.tsx';
import { MoneyFigures } from './money-figures.tsx';
import {
  CUSTOMERS_NOUN,
  DOWNLOAD_MONEY_DUE,
  DOWNLOAD_MONEY_IN,
  METHODS_NOUN,
  MONEY_DUE,
  MONEY_IN,
  NO_PAYMENTS_YET,
  NOTHING_DUE,
  openOrdersText,
} from '../texts.ts';

export interface MoneyData {
  takings: readonly PaymentTotals[];
  dues: OpenBalances;
  owing: readonly CustomerReportRow[];
}

/** This section of the report shows the payments received by method, and the balances due (contract §9). */
export function MoneySection({ distributionId, money }: { distributionId: number; money: MoneyData }): ReactNode {
  const { takings, dues, owing } = money;
  const takingsTable = useUrlTable('in', { columns: PAYMENT_TOTALS_COLUMNS, rows: takings, rowKey: paymentTotalsKey });
  const dueTable = useUrlTable('due', { columns: OPEN_BALANCES_COLUMNS, rows: owing, rowKey: openBalancesKey });
  return (
    <div className="grid gap-6">
      <MoneyFigures takings={takings} dues={dues} />
      {(takings.length > 0 || owing.length > 0) && (
        <Card>
          <MoneyChart takings={takings} dues={dues} />
        </Card>
      )}
      <Card
        title={MONEY_IN}
        actions={
          takings.length > 0 && (
            <CsvLinks
              label={DOWNLOAD_MONEY_IN}
              fileName={`distribution-${distributionId}-money`}
              columns={PAYMENT_TOTALS_CSV}
              table={takingsTable}
            />
          )
        }
        isFlush
      >
        <Table table={takingsTable} label={MONEY_IN} noun={METHODS_NOUN} picture="coins" empty={NO_PAYMENTS_YET} />
      </Card>
      <Card
        title={MONEY_DUE}
        subtitle={owing.length > 0 ? openOrdersText(owing.length) : undefined}
        actions={
          owing.length > 0 && (
            <CsvLinks
              label={DOWNLOAD_MONEY_DUE}
              fileName={`distribution-${distributionId}-money-due`}
              columns={OPEN_BALANCES_CSV}
              table={dueTable}
            />
          )
        }
        isFlush
      >
        <Table table={dueTable} label={MONEY_DUE} noun={CUSTOMERS_NOUN} picture="coins" empty={NOTHING_DUE} />
      </Card>
    </div>
  );
}

export const paymentTotalsKey = (row: PaymentTotals): string => row.paymentMethod;
export const openBalancesKey = (row: CustomerReportRow): number => row.customer_id;
