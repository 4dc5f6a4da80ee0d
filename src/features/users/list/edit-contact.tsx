import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { toast } from '../../../client/toasts/toast.ts';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SkeletonForm } from '../../../client/ui/feedback/skeleton.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import { useFresh, useRead, useSave } from '../../../client/api/use-calls.ts';
import { usePreviousValues } from '../../../client/previous-values/use-previous-values.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { text } from '../../../shared/fields.ts';
import { emailOrName } from '../../../shared/person-name.ts';
import { CONTACT_FIELDS, contactOf, type StaffContact } from '../../contact/contract.ts';
import { CONTACT_NAMES } from '../../contact/texts.ts';
import { replacesAnyText } from '../../../client/previous-values/texts.ts';
import { changeUser, readUserContact } from '../contract.ts';
import { CONTACT_CORRECTED, EDIT_CONTACT, SAVE_CONTACT, type People } from '../texts.ts';

const ContactForm = z.object(contactOf((field) => text(CONTACT_NAMES[field])));

interface EditContactProps {
  people: People;
  userId: number;
  onClose: () => void;
}

export function EditContact({ people, userId, onClose }: EditContactProps): ReactNode {
  const [isDirty, setIsDirty] = useState(false);
  const read = useRead(readUserContact, { role: people, userId });
  // The form reads its initial values only once, so it is rendered after the contact was read again from the server.
  const user = useFresh([read]) ? read.data : undefined;
  return (
    <Dialog onClose={onClose} title={EDIT_CONTACT} description={user ? emailOrName(user) : undefined} isDirty={isDirty}>
      {user ? (
        <ContactFields people={people} user={user} onClose={onClose} onDirty={setIsDirty} />
      ) : (
        <Pending read={read} waiting={<SkeletonForm fields={CONTACT_FIELDS.length} />} />
      )}
    </Dialog>
  );
}

interface ContactFieldsProps extends Omit<EditContactProps, 'userId'> {
  user: StaffContact;
  onDirty: (isDirty: boolean) => void;
}

function ContactFields({ people, user, onClose, onDirty }: ContactFieldsProps): ReactNode {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(ContactForm),
    defaultValues: contactOf((field) => user[field] ?? ''),
  });
  const { errors, isDirty, dirtyFields } = formState;
  useReportDirty(isDirty, onDirty);
  const { save, isSaving } = useSave(changeUser, {
    refresh: 'always',
    onSaved: () => {
      toast({ title: CONTACT_CORRECTED });
      onClose();
    },
  });
  const { withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues(contactOf((field) => user[field]));
  const errorOf = (field: (typeof CONTACT_FIELDS)[number]) =>
    errors[field]?.message ?? (dirtyFields[field] === true ? replacesAnyText(savedMeanwhile(field)) : undefined);
  const submit = handleSubmit(async (typed) => {
    const saved = await save({ params: { role: people, userId: user.userId }, body: withBefore(typed, dirtyFields) });
    if (!saved.ok) onRefused(saved.error);
  });
  return (
    <DialogForm {...ignoreUnread(isUnread)} submitLabel={SAVE_CONTACT} disabled={!isDirty} isSaving={isSaving} onSubmit={submit}>
      <div className="grid gap-5 sm:grid-cols-2">
        {CONTACT_FIELDS.map((field) => (
          <TextField
            key={field}
            label={CONTACT_NAMES[field]}
            type={field === 'phone' ? 'tel' : 'text'}
            autoComplete="off"
            className={field === 'address' ? 'sm:col-span-2' : ''}
            {...register(field)}
            error={errorOf(field)}
          />
        ))}
      </div>
    </DialogForm>
  );
}
