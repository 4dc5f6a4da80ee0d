import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { FormTitle } from './form-title.tsx';
import { renamePasskey, type PasskeyItem } from './contract.ts';
import { CANCEL, SAVE } from '../../client/texts.ts';
import { NAME, NAME_HINT, NAME_REQUIRED, RENAMED, renameLabel } from './texts.ts';

export function RenamePasskey({ passkey, onDone }: { passkey: PasskeyItem; onDone: () => void }): ReactNode {
  const [name, setName] = useState(passkey.name);
  const { save, isSaving } = useSave(renamePasskey, {
    onSaved: () => {
      toast({ title: RENAMED });
      onDone();
    },
  });
  const problem = name.trim() === '' ? NAME_REQUIRED : undefined;
  return (
    <Form
      aria-label={renameLabel(passkey.name)}
      onSubmit={() => problem === undefined && save({ params: { passkeyId: passkey.id }, body: { name } })}
      className="grid gap-4 rounded-ctl border border-line p-4"
    >
      <FormTitle title={renameLabel(passkey.name)} />
      <TextField
        label={NAME}
        name="name"
        hint={NAME_HINT}
        maxLength={100}
        value={name}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="main" isLoading={isSaving}>
          {SAVE}
        </Button>
        <Button onClick={onDone}>{CANCEL}</Button>
      </div>
    </Form>
  );
}
