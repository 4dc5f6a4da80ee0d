import { Wallet } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../client/ui/table/csv-links.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import { NARROW_DESK } from '../../client/hooks/use-media.ts';
import { useUrlTable } from '../../client/ui/table/use-table-params.ts';
import { useRead } from '../../client/api/use-calls.ts';
import { TILLS } from '../tills/texts.ts';
import { listPayments } from './contract.ts';
import type { PaymentRow } from './contract.ts';
import { PAYMENTS_CSV } from './csv.ts';
import { MethodTotals } from './method-totals.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import { countText, NO_PAYMENTS, PAYMENTS, PAYMENTS_NOUN } from './texts.ts';

/** Lists every payment of a distribution, newest first (spec §2). */
export function PaymentsTab({ distributionId }: { distributionId: number }): ReactNode {
  const payments = useRead(listPayments, { id: distributionId });
  if (payments.data) return <Payments rows={payments.data} distributionId={distributionId} />;
  return <Pending read={payments} waiting={<SkeletonTable rows={8} hasHead />} />;
}

function Payments({ rows, distributionId }: { rows: readonly PaymentRow[]; distributionId: number }): ReactNode {
  const [asked, setAsked] = useState<PaymentRow | null>(null);
  const columns = useMemo(() => paymentColumns(setAsked), []);
  const table = useUrlTable('payments', { columns, rows, rowKey: ({ payments }) => payments.id });
  const { shown, total } = table;
  return (
    <Card
      title={PAYMENTS}
      subtitle={total === 0 ? undefined : countText(shown, rows)}
      actions={
        <>
          {rows.some(({ payments }) => payments.tillId !== undefined) && (
            <ButtonLink href={`/distributor/distribution/${distributionId}/tills`} icon={<Wallet aria-hidden />}>
              {TILLS}
            </ButtonLink>
          )}
          <CsvLinks fileName={`distribution-${distributionId}-payments`} columns={PAYMENTS_CSV} rows={rows} shown={shown} />
        </>
      }
      isFlush
    >
      {shown.length > 0 && <MethodTotals rows={shown} />}
      <Table
        table={table}
        label={PAYMENTS}
        noun={PAYMENTS_NOUN}
        empty={<EmptyState picture="coins" text={NO_PAYMENTS} />}
        foldOn={NARROW_DESK}
      />
      {asked && <ReverseDialog key={asked.payments.id} row={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}
