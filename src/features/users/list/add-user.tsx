import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { toast } from '../../../client/toasts/toast.ts';
import { AddDialog } from '../../../client/ui/overlays/dialog-button.tsx';
import { CheckField, TextField } from '../../../client/ui/forms/field.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { actionKeyOf, useSave } from '../../../client/api/use-calls.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { isBlankText } from '../../../domain/blank.ts';
import { Email, text } from '../../../shared/fields.ts';
import { INVALID_EMAIL } from '../../../shared/texts.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { createUsers } from '../contract.ts';
import {
  ADD_MEANS,
  createdText,
  EMAIL,
  FIRST_NAME,
  HAS_NO_EMAIL_LABEL,
  LAST_NAME,
  NAME_OR_EMAIL_NEEDED,
  OPTIONAL,
  PEOPLE,
  WITHOUT_EMAIL_MEANS,
  type People,
} from '../texts.ts';

/**
 * By default an e-mail address is required (spec §5). When the user ticks the box, a customer without an e-mail address is added by name.
 */
const AddedUser = z
  .object({ hasNoEmail: z.boolean(), email: z.string(), firstName: text(FIRST_NAME), lastName: text(LAST_NAME) })
  .check(({ value, issues }) => {
    const { hasNoEmail, email, firstName, lastName } = value;
    const refuse = (field: string, message: string): void => void issues.push({ code: 'custom', path: [field], message, input: value });
    if (!hasNoEmail && !Email.safeParse(email).success) refuse('email', INVALID_EMAIL);
    if (hasNoEmail && isBlankText(firstName + lastName)) refuse('lastName', NAME_OR_EMAIL_NEEDED);
  });

/** Renders the "Add Customer" or "Add User" button and the dialog that the button opens (spec §2). */
export function AddUser({ people }: { people: People }): ReactNode {
  const { add } = PEOPLE[people];
  return (
    <AddDialog
      title={add}
      description={ADD_MEANS}
      content={({ onClose, onDirty }) => <AddForm people={people} onAdded={onClose} onDirty={onDirty} />}
    />
  );
}

function AddForm({ people, onAdded, onDirty }: { people: People; onAdded: () => void; onDirty: (isDirty: boolean) => void }): ReactNode {
  const { email: replyTo } = useUser();
  const { register, handleSubmit, setError, control, formState } = useForm({
    resolver: zodResolver(AddedUser),
    defaultValues: { hasNoEmail: false, email: '', firstName: '', lastName: '' },
  });
  const { isDirty, errors } = formState;
  const hasNoEmail = useWatch({ control, name: 'hasNoEmail' });
  const { save, isSaving } = useSave(createUsers, {
    onSaved: ([result]) => {
      const { title, description } = createdText(people, { created: result?.success ? 1 : 0, sent: 1 });
      if (result?.success) {
        toast({ title, description: result.error ?? description });
        onAdded();
      } else {
        toast({ title, description: result?.error, variant: 'destructive', actionKey: actionKeyOf(createUsers, { role: people }) });
        setError('email', { message: result?.error ?? '' }, { shouldFocus: true });
      }
    },
  });
  useReportDirty(isDirty, onDirty);
  return (
    <DialogForm
      submitLabel={PEOPLE[people].add}
      isSaving={isSaving}
      onSubmit={handleSubmit(({ hasNoEmail: isNameOnly, email, ...names }) =>
        save({ params: { role: people }, body: { users: [{ ...names, email: isNameOnly ? null : Email.parse(email) }], replyTo } }),
      )}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={EMAIL}
          type="email"
          inputMode="email"
          autoComplete="off"
          className="sm:col-span-2"
          {...register('email', { disabled: hasNoEmail })}
          error={errors.email?.message}
        />
        {people === 'customer' && (
          <CheckField label={HAS_NO_EMAIL_LABEL} hint={WITHOUT_EMAIL_MEANS} className="sm:col-span-2" {...register('hasNoEmail')} />
        )}
        <TextField label={FIRST_NAME} hint={OPTIONAL} autoComplete="off" {...register('firstName')} error={errors.firstName?.message} />
        <TextField label={LAST_NAME} hint={OPTIONAL} autoComplete="off" {...register('lastName')} error={errors.lastName?.message} />
      </div>
    </DialogForm>
  );
}
