import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { TextField } from '../../client/ui/forms/field.tsx';
import { FactorForm } from './factor-form.tsx';
import { renamePasskey, type PasskeyItem } from './contract.ts';
import { SAVE } from '../../client/texts.ts';
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
    <FactorForm
      title={renameLabel(passkey.name)}
      submitLabel={SAVE}
      isSaving={isSaving}
      onSubmit={() => problem === undefined && save({ params: { passkeyId: passkey.id }, body: { name } })}
      onCancel={onDone}
    >
      <TextField
        label={NAME}
        name="name"
        hint={NAME_HINT}
        maxLength={100}
        value={name}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
    </FactorForm>
  );
}
