import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { ERROR } from '../../../client/texts.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { deviceOwner } from '../../../client/storage/device-owner.ts';
import { useRead, useSave } from '../../../client/api/use-calls.ts';
import { differenceOf, TILL_METHODS, type TillSums } from '../../../domain/counter/till.ts';
import { closeTill, listTills, type Till } from '../contract.ts';
import {
  CLOSE_MEANS,
  CLOSE_QUESTION,
  CLOSE_TILL,
  CLOSE_WITH_DIFFERENCE,
  CLOSE_WITHOUT,
  CLOSE_WITHOUT_QUESTION,
  closeTillOfText,
  COUNT_AGAIN,
  COUNTED,
  IN_DOLLARS,
  methodDifferenceText,
  METHODS,
  NEVER_CHANGED,
  TILL_CLOSED,
  unsentPaymentsText,
} from '../texts.ts';
import { differenceText, totalDifferenceText } from './till-columns.tsx';
import { initialSums, TypedSums } from './typed-sums.ts';

interface Question {
  readonly counted: TillSums;
  readonly difference: TillSums;
  /** The number of the till's payments that wait on this device. */
  readonly unsent: number;
}

/** Returns how many payments of the till were entered at this device's counter and have not reached the server yet. */
async function countUnsent({ userId, distributionId }: Till): Promise<number> {
  if (deviceOwner() === null) return 0;
  const { countUnsentPayments } = await import('../../counter/device/device-data.ts');
  return await countUnsentPayments(userId, distributionId);
}

/**
 * The form that closes a till with the counted sums (contract §15). The expected sums appear only after the till is closed, so that they do
 * not influence the count. If the counted sums differ from the expected sums, or if payments of the till wait on this
 * device, the user must confirm that the till is closed.
 */
export function CloseTill({ till }: { till: Till }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(TypedSums),
    defaultValues: initialSums(till.expected),
  });
  const [question, setQuestion] = useState<Question | null>(null);
  const tills = useRead(listTills, { id: till.distributionId }, { enabled: false });
  const show = (open: boolean): void => {
    reset(initialSums(till.expected));
    setIsOpen(open);
  };
  const { save, isSaving } = useSave(closeTill, {
    refresh: 'always',
    onSaved: (closed) => {
      toast({ title: TILL_CLOSED, description: totalDifferenceText(closed) });
      show(false);
    },
  });
  const close = (counted: TillSums) => save({ params: { id: till.id }, body: { counted } });
  const submit = handleSubmit(async (counted) => {
    // A payment may have been recorded in the till since the page was loaded.
    const { data, error } = await tills.refetch();
    if (error) return void toast({ title: ERROR, description: error.message, variant: 'destructive' });
    const { expected } = data?.tills.find(({ id }) => id === till.id) ?? till;
    const difference = differenceOf(counted, expected);
    const unsent = await countUnsent(till);
    if (unsent > 0 || TILL_METHODS.some((method) => difference[method] !== 0)) setQuestion({ counted, difference, unsent });
    else await close(counted);
  });
  return (
    <Dialog
      open={isOpen}
      onClose={() => show(false)}
      trigger={<Button aria-label={closeTillOfText(till.by)}>{CLOSE_TILL}</Button>}
      onOpen={() => show(true)}
      title={CLOSE_TILL}
      description={CLOSE_MEANS}
      isDirty={formState.isDirty}
    >
      <DialogForm submitLabel={CLOSE_TILL} isSaving={isSaving || formState.isSubmitting} onSubmit={submit}>
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
      {question && (
        <ConfirmDialog
          title={question.unsent > 0 ? CLOSE_WITHOUT_QUESTION : CLOSE_QUESTION}
          confirmLabel={question.unsent > 0 ? CLOSE_WITHOUT : CLOSE_WITH_DIFFERENCE}
          cancelLabel={COUNT_AGAIN}
          isDanger
          onConfirm={() => void close(question.counted)}
          onClose={() => setQuestion(null)}
        >
          {question.unsent > 0 && <p className="mb-2 font-semibold text-ink">{unsentPaymentsText(question.unsent)}</p>}
          <Differences of={question.difference} />
          <p className="mt-2">{NEVER_CHANGED}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

const Differences = ({ of }: { of: TillSums }): ReactNode =>
  TILL_METHODS.filter((method) => of[method] !== 0).map((method) => (
    <p key={method} className="font-semibold text-ink">
      {methodDifferenceText(METHODS[method], differenceText(of[method]))}
    </p>
  ));
