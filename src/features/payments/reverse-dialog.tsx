import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toasts/toast.ts';
import { Dialog } from '../../client/ui/overlays/dialog.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { DialogForm } from '../../client/ui/overlays/dialog-form.tsx';
import { useSave } from '../../client/api/use-calls.ts';
import { sum } from '../../domain/money.ts';
import { NewReversal, reversePayment } from './contract.ts';
import type { PaymentRow } from './contract.ts';
import { payerOf } from './payment-columns.tsx';
import {
  noLongerCountsText,
  PAYMENT_REVERSED,
  REASON,
  REASON_HINT,
  REASON_MISSING,
  REVERSE_TITLE,
  reverseAmountText,
  reversingText,
} from './texts.ts';

/** The dialog in which the distributor reverses a wrong payment and gives a reason (contract §7). The caller opens it by rendering it. */
export function ReverseDialog({ row, onClose }: { row: PaymentRow; onClose: () => void }): ReactNode {
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
