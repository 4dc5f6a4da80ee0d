import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { TILL_METHODS } from '../../../domain/counter/till.ts';
import { closeTill, type Till } from '../contract.ts';
import { CLOSE_MEANS, CLOSE_TILL, closeTillOfText, COUNTED, IN_DOLLARS, TILL_CLOSED } from '../texts.ts';
import { differenceText } from './till-columns.tsx';
import { NOTHING_TYPED, TypedSums } from './typed-sums.ts';

/**
 * This form closes a till with the counted sums (contract §15). The expected sums appear only after the till is closed, so that they do not
 * influence the count.
 */
export function CloseTill({ till }: { till: Till }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { register, handleSubmit, formState, reset } = useForm({ resolver: zodResolver(TypedSums), defaultValues: NOTHING_TYPED });
  const change = (open: boolean): void => {
    reset();
    setIsOpen(open);
  };
  const { save, isSaving } = useSave(closeTill, {
    refresh: 'always',
    onSaved: (closed) => {
      toast({ title: TILL_CLOSED, description: differenceText(closed) });
      change(false);
    },
  });
  const submit = handleSubmit((counted) => save({ params: { id: till.id }, body: { counted } }));
  return (
    <Dialog
      open={isOpen}
      onOpenChange={change}
      trigger={<Button aria-label={closeTillOfText(till.by)}>{CLOSE_TILL}</Button>}
      title={CLOSE_TILL}
      description={CLOSE_MEANS}
      isDirty={formState.isDirty}
    >
      <DialogForm submitLabel={CLOSE_TILL} isSaving={isSaving} onSubmit={submit}>
        <div className="grid gap-4">
          {TILL_METHODS.map((method) => (
            <TextField
              key={method}
              label={COUNTED[method]}
              hint={IN_DOLLARS}
              inputMode="decimal"
              autoComplete="off"
              required
              {...register(method)}
              error={formState.errors[method]?.message}
            />
          ))}
        </div>
      </DialogForm>
    </Dialog>
  );
}
