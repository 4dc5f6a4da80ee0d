import type { ReactNode } from 'react';
import { PrintSheet } from '../../../client/ui/print/print-sheet.tsx';
import { PrintTable } from '../../../client/ui/print/print-table.tsx';
import { dollars } from '../../../domain/money.ts';
import { longDate } from '../../../shared/dates.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { Tills } from '../contract.ts';
import { METHOD_COLUMNS, methodRows, SUM_COLUMNS, sumRows, tillPeriod, totalDifferenceText } from './till-columns.tsx';
import { closedTillText, floatText, IS_OPEN, paymentsText, SUM_TITLE, tillOfText, tillsOfText } from '../texts.ts';

/**
 * The printed page lists the expected and counted sums of each till, then their total. The total equals the sum of all payments (contract
 * §15).
 */
export function TillsSheet({ distribution, tills }: { distribution: Distribution; tills: Tills }): ReactNode {
  const sums = sumRows(tills);
  return (
    <PrintSheet>
      <header className="mb-5">
        <h1>{tillsOfText(distribution.name)}</h1>
        <p className="mt-1">{longDate(distribution.date)}</p>
      </header>
      {tills.tills.map((till) => (
        <section key={till.id} className="mb-6 break-inside-avoid">
          <h2>{tillOfText(till.by)}</h2>
          <p className="mb-2">
            {tillPeriod(till)} · {floatText(dollars(till.float))} · {paymentsText(till.payments)} ·{' '}
            {till.closedAt === null ? IS_OPEN : totalDifferenceText(till)}
          </p>
          <PrintTable label={closedTillText(till.by)} columns={METHOD_COLUMNS} rows={methodRows(till)} rowKey={(row) => row.method} />
        </section>
      ))}
      {sums.length > 0 && (
        <section className="break-inside-avoid">
          <h2>{SUM_TITLE}</h2>
          <PrintTable label={SUM_TITLE} columns={SUM_COLUMNS} rows={sums} rowKey={(row) => row.what} />
        </section>
      )}
    </PrintSheet>
  );
}
