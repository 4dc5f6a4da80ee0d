import { zodResolver } from '@hookform/resolvers/zod';
import { Wallet } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { CsvLinks } from '../../client/ui/table/csv-links.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import { NARROW_DESK } from '../../client/hooks/use-media.ts';
import { useUrlTable } from '../../client/ui/table/use-table-params.ts';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Dialog } from '../../client/ui/overlays/dialog.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { DialogForm } from '../../client/ui/overlays/dialog-form.tsx';
import { sum } from '../../domain/money.ts';
import { TILLS } from '../tills/texts.ts';
import { listPayments, NewReversal, reversePayment, type PaymentRow } from './contract.ts';
import { PAYMENTS_CSV } from './csv.ts';
import { MethodTotals } from './method-totals.tsx';
import { payerOf, paymentColumns } from './payment-columns.tsx';
import {
  countText,
  NO_PAYMENTS,
  noLongerCountsText,
  PAYMENT_REVERSED,
  PAYMENTS,
  PAYMENTS_NOUN,
  REASON,
  REASON_HINT,
  REASON_MISSING,
  REVERSE_TITLE,
  reverseAmountText,
  reversingText,
} from './texts.ts';

/** Lists every payment of a distribution, newest first (spec §2). */
export function PaymentsTab({ distributionId }: { distributionId: number }): ReactNode {
  const payments = useRead(listPayments, { id: distributionId });
  if (payments.data) return <Payments rows={payments.data} distributionId={distributionId} />;
  return <Pending read={payments} waiting={<SkeletonTable rows={8} hasHead />} />;
}

function Payments({ rows, distributionId }: { rows: readonly PaymentRow[]; distributionId: number }): ReactNode {
  const [toReverse, setToReverse] = useState<PaymentRow | null>(null);
  const columns = useMemo(() => paymentColumns(setToReverse), []);
  const table = useUrlTable('payments', { columns, rows, rowKey: ({ payments }) => payments.id });
  const { shown } = table;
  return (
    <Card
      title={PAYMENTS}
      subtitle={rows.length === 0 ? undefined : countText(shown, rows)}
      actions={
        <>
          {rows.some(({ payments }) => payments.tillId !== undefined) && (
            <ButtonLink href={`/distributor/distribution/${distributionId}/tills`} icon={<Wallet aria-hidden />}>
              {TILLS}
            </ButtonLink>
          )}
          <CsvLinks fileName={`distribution-${distributionId}-payments`} columns={PAYMENTS_CSV} table={table} />
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
      {toReverse && <ReverseDialog key={toReverse.payments.id} row={toReverse} onClose={() => setToReverse(null)} />}
    </Card>
  );
}

/** The dialog in which the distributor reverses a wrong payment and gives a reason (contract §7). The caller opens it by rendering it. */
function ReverseDialog({ row, onClose }: { row: PaymentRow; onClose: () => void }): ReactNode {
  const { id, orderId, amount, feeAmount } = row.payments;
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(NewReversal), defaultValues: { description: '' } });
  const { save, isSaving } = useSave(reversePayment, {
    refresh: 'always',
    onSaved: () => {
      toast({ title: PAYMENT_REVERSED, description: noLongerCountsText(amount, payerOf(row)) });
      onClose();
    },
  });
  const submit = handleSubmit((body) => save({ params: { orderId, paymentId: id }, body }));
  return (
    <Dialog onClose={onClose} title={REVERSE_TITLE} description={reversingText(row.payments, payerOf(row))} isDirty={formState.isDirty}>
      <DialogForm submitLabel={reverseAmountText(sum([amount, feeAmount]))} variant="danger" isSaving={isSaving} onSubmit={submit}>
        <TextField
          label={REASON}
          required
          autoComplete="off"
          maxLength={500}
          hint={REASON_HINT}
          {...register('description')}
          error={formState.errors.description && REASON_MISSING}
        />
      </DialogForm>
    </Dialog>
  );
}
