import { useState, type ReactNode } from 'react';
import { CallError } from '../../client/api/fetch.ts';
import { toast } from '../../client/toasts/toast.ts';
import { AddDialog } from '../../client/ui/overlays/dialog-button.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { DialogForm } from '../../client/ui/overlays/dialog-form.tsx';
import { useSave } from '../../client/api/use-calls.ts';
import { useReportDirty } from '../../client/hooks/use-report-dirty.ts';
import { Email } from '../../shared/fields.ts';
import { createDistributor } from './contract.ts';
import { ADD_MEANS } from '../users/texts.ts';
import { ADD_DISTRIBUTOR, DISTRIBUTOR_CREATED, EMAIL } from './texts.ts';

/** The Add Distributor button with its dialog (spec §2, admin dashboard). */
export function AddDistributor(): ReactNode {
  return <AddDialog title={ADD_DISTRIBUTOR} description={ADD_MEANS} content={(dialog) => <AddForm {...dialog} />} />;
}

function AddForm({ onClose, onDirty }: { onClose: () => void; onDirty: (isDirty: boolean) => void }): ReactNode {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const { save, isSaving } = useSave(createDistributor);
  useReportDirty(email !== '', onDirty);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const { data, error } = Email.safeParse(email);
    const saved = data === undefined ? null : await save({ body: { email: data } });
    if (saved?.ok) {
      toast({ title: DISTRIBUTOR_CREATED });
      onClose();
      return;
    }
    setProblem(saved?.error instanceof CallError ? saved.error.text : error?.issues[0]?.message);
    (form.elements.namedItem('email') as HTMLInputElement).focus();
  };

  return (
    <DialogForm submitLabel={ADD_DISTRIBUTOR} isSaving={isSaving} onSubmit={({ currentTarget }) => submit(currentTarget)}>
      <TextField
        label={EMAIL}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        error={problem}
        onChange={(event) => setEmail(event.target.value)}
      />
    </DialogForm>
  );
}
