import { zodResolver } from '@hookform/resolvers/zod';
import { memo, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { dollars } from '../../../domain/money.ts';
import { openTill } from '../contract.ts';
import { FLOAT, FLOAT_MEANS, floatText, OPEN_MEANS, OPEN_TILL, TILL_OPENED } from '../texts.ts';
import { TypedFloat } from './typed-sums.ts';

export function OpenTill({ distributionId }: { distributionId: number }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="main" onClick={() => setIsOpen(true)}>
        {OPEN_TILL}
      </Button>
      <OpenTillDialog distributionId={distributionId} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

interface OpenTillDialogProps {
  distributionId: number;
  open: boolean;
  onClose: () => void;
  onOpened?: () => void;
}

/**
 * The form that opens the viewer's till. The viewer enters the float: the cash that is in the till at the start (contract §15). Memoized,
 * because the counter's screen is rendered at every key press, even while this dialog is closed.
 */
export const OpenTillDialog = memo(function OpenTillDialog(props: OpenTillDialogProps): ReactNode {
  const { distributionId, open, onClose, onOpened } = props;
  const { register, handleSubmit, formState, reset } = useForm({ resolver: zodResolver(TypedFloat), defaultValues: { float: '' } });
  const close = (): void => {
    reset();
    onClose();
  };
  const { save, isSaving } = useSave(openTill, {
    refresh: 'always',
    onSaved: ({ float }) => {
      toast({ title: TILL_OPENED, description: floatText(dollars(float)) });
      close();
      onOpened?.();
    },
  });
  const submit = handleSubmit(({ float }) => save({ body: { distributionId, float } }));
  return (
    <Dialog open={open} onClose={close} title={OPEN_TILL} description={OPEN_MEANS} isDirty={formState.isDirty}>
      <DialogForm submitLabel={OPEN_TILL} isSaving={isSaving} onSubmit={submit}>
        <TextField
          label={FLOAT}
          hint={FLOAT_MEANS}
          inputMode="decimal"
          autoComplete="off"
          required
          {...register('float')}
          error={formState.errors.float?.message}
        />
      </DialogForm>
    </Dialog>
  );
});
