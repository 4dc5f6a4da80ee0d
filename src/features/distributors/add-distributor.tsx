import { Plus } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { CallError } from '../../client/api/fetch.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { useSave } from '../../client/api/use-calls.ts';
import { Email } from '../../shared/fields.ts';
import { createDistributor } from './contract.ts';
import { ADD_MEANS } from '../users/texts.ts';
import { ADD_DISTRIBUTOR, DISTRIBUTOR_CREATED, EMAIL } from './texts.ts';

/** The Add Distributor button with its dialog (spec §2, admin dashboard). */
export function AddDistributor(): ReactNode {
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const change = (next: boolean): void => {
    setOpen(next);
    setEmail('');
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      trigger={
        <Button variant="main" icon={<Plus aria-hidden />}>
          {ADD_DISTRIBUTOR}
        </Button>
      }
      title={ADD_DISTRIBUTOR}
      description={ADD_MEANS}
      isDirty={email !== ''}
    >
      <AddForm email={email} onEmail={setEmail} onCreated={() => change(false)} />
    </Dialog>
  );
}

interface AddFormProps {
  email: string;
  onEmail: (email: string) => void;
  onCreated: () => void;
}

function AddForm({ email, onEmail, onCreated }: AddFormProps): ReactNode {
  const [problem, setProblem] = useState<string>();
  const { save, isSaving } = useSave(createDistributor);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const { data, error } = Email.safeParse(email);
    const saved = data === undefined ? null : await save({ body: { email: data } });
    if (saved?.ok) {
      toast({ title: DISTRIBUTOR_CREATED });
      onCreated();
      return;
    }
    setProblem(saved?.error instanceof CallError ? saved.error.text : error?.issues[0]?.message);
    (form.elements.namedItem('email') as HTMLInputElement).focus();
  };

  return (
    <form
      noValidate
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <TextField
        label={EMAIL}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        error={problem}
        onChange={(event) => onEmail(event.target.value)}
      />
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" variant="main" isLoading={isSaving}>
          {ADD_DISTRIBUTOR}
        </Button>
      </DialogFooter>
    </form>
  );
}
