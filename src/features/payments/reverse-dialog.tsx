import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/dialog.tsx';
import { TextField } from '../../client/ui/field.tsx';
import { useSave } from '../../client/use-calls.ts';
import { dollars, sum } from '../../domain/money.ts';
import { NewReversal, reversePayment } from './contract.ts';
import type { PaymentRow } from './contract.ts';
import { payerOf } from './payment-columns.tsx';
import { givenBackText, PAYMENT_REVERSED, REASON_MISSING } from './texts.ts';

export interface ReverseDialogProps {
  row: PaymentRow;
  onClose: () => void;
}

/** Takes a wrong payment back, with the reason (contract §7). Shown as long as it is rendered. */
export function ReverseDialog({ row, onClose }: ReverseDialogProps): ReactNode {
  const { id, orderId, amount, feeAmount, paymentMethod } = row.payments;
  const back = dollars(sum([amount, feeAmount]));
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(NewReversal), defaultValues: { description: '' } });
  const { save, isSaving } = useSave(reversePayment, {
    refresh: 'always',
    onSaved: () => {
      toast({ title: PAYMENT_REVERSED, description: `${dollars(amount)} by ${payerOf(row)} no longer counts.` });
      onClose();
    },
  });
  const submit = handleSubmit((body) => save({ params: { orderId, paymentId: id }, body }));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Reverse the payment"
      description={`${paymentMethod} payment of ${dollars(amount)} by ${payerOf(row)}. ${givenBackText(amount, feeAmount)} It stays in the list, and a second row takes it back. This cannot be undone.`}
      isDirty={formState.isDirty}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Reason"
          required
          autoComplete="off"
          maxLength={500}
          hint="such as: typed for the wrong family"
          {...register('description')}
          error={formState.errors.description && REASON_MISSING}
        />
        <DialogFooter>
          <DialogCancel />
          <Button type="submit" variant="danger" isLoading={isSaving}>
            Reverse {back}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
