import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { CallError } from '../../../client/api/fetch.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import { usePreviousValues } from '../../../client/previous-values/use-previous-values.ts';
import { replacesAnyText } from '../../../client/previous-values/texts.ts';
import { changeUser, NewUser, type UserItem } from '../contract.ts';
import {
  ADD_EMAIL,
  ADD_MEANS,
  ADDRESS_CORRECTED,
  CORRECT_ADDRESS,
  CORRECT_MEANS,
  EMAIL,
  EMAIL_ADDED,
  invitedText,
  SAVE_AND_INVITE,
  type People,
} from '../texts.ts';

const CorrectedEmail = z.pick(NewUser, { email: true });

/**
 * In this dialog staff correct a mistyped or missing e-mail address before the person signs in for the first time (contract §3). The caller
 * opens the dialog by rendering it. `user` must be the person as last read.
 */
export function CorrectEmail({ people, user, onClose }: { people: People; user: UserItem; onClose: () => void }): ReactNode {
  const isNew = user.email === null;
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(CorrectedEmail),
    defaultValues: { email: user.email ?? '' },
  });
  const { save, isSaving } = useSave(changeUser, {
    refresh: 'always',
    onSaved: ({ email }) => {
      toast({ title: isNew ? EMAIL_ADDED : ADDRESS_CORRECTED, description: invitedText(email ?? '') });
      onClose();
    },
  });
  const { withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues({ email: user.email });
  const submit = handleSubmit(async (typed) => {
    const saved = await save({ params: { role: people, userId: user.userId }, body: withBefore(typed, { email: true }) });
    if (saved.ok) return;
    onRefused(saved.error);
    if (saved.error instanceof CallError) setError('email', { message: saved.error.text }, { shouldFocus: true });
  });
  const problems = [formState.errors.email?.message, replacesAnyText(savedMeanwhile('email'))].filter((text) => text !== undefined);
  return (
    <Dialog
      onClose={onClose}
      title={isNew ? ADD_EMAIL : CORRECT_ADDRESS}
      description={isNew ? ADD_MEANS : CORRECT_MEANS}
      isDirty={formState.isDirty}
    >
      <DialogForm
        {...ignoreUnread(isUnread)}
        submitLabel={SAVE_AND_INVITE}
        // After a refusal, the value that the field showed first is another than the saved one.
        disabled={!formState.isDirty && savedMeanwhile('email') === undefined}
        isSaving={isSaving}
        onSubmit={submit}
      >
        <TextField
          label={EMAIL}
          type="email"
          inputMode="email"
          autoComplete="off"
          {...register('email')}
          error={problems.join(' ') || undefined}
        />
      </DialogForm>
    </Dialog>
  );
}
