import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { refreshReads, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { TextField } from '../../client/ui/forms/field.tsx';
import { SAVE } from '../../client/texts.ts';
import { AddCodeApp } from './add-code-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { removeCodeApp, removePasskey, renamePasskey, renewRecoveryCodes, type PasskeyItem } from './contract.ts';
import { FactorForm, PasswordForm } from './factor-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import {
  CODE_APP,
  FACTOR_ADDED,
  FACTOR_REMOVED,
  NAME,
  NAME_HINT,
  NAME_REQUIRED,
  NEW_CODES,
  NEW_CODES_MEAN,
  NEW_CODES_QUESTION,
  REMOVE,
  REMOVE_MEANS,
  RENAMED,
  removeQuestion,
  renameLabel,
} from './texts.ts';

export type Step =
  | { readonly kind: 'add passkey' | 'add code app' | 'renew' }
  | { readonly kind: 'rename'; readonly passkey: PasskeyItem }
  | { readonly kind: 'remove'; readonly passkey: PasskeyItem | null };

export interface SecondFactorStepProps {
  step: Step;
  onDone: () => void;
  /** Called with `true` while the step shows recovery codes that the user has not copied, downloaded or printed yet. */
  onDirty: (isDirty: boolean) => void;
}

/** Shows the form of the current step. After the last form, it shows the new recovery codes if the server created any. */
export function SecondFactorStep({ step, onDone, onDirty }: SecondFactorStepProps): ReactNode {
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // Reads the data from the server again. The data then say that a factor is set up, and the screen that asks an agent to set one up
  // disappears. This function is therefore called only after the user has seen the recovery codes, or if adding failed.
  const refresh = (): void => void refreshReads(client);
  const finish = (): void => {
    onDone();
    refresh();
  };
  const added = (recoveryCodes: readonly string[] | undefined): void => {
    toast(FACTOR_ADDED);
    if (recoveryCodes) setCodes(recoveryCodes);
    else finish();
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={finish} onDirty={onDirty} />;
  if (step.kind === 'add passkey') return <AddPasskey onAdded={added} onFailed={refresh} onCancel={onDone} />;
  if (step.kind === 'rename') return <RenamePasskey passkey={step.passkey} onDone={onDone} />;
  if (step.kind === 'renew') return <RenewCodes onCodes={setCodes} onCancel={onDone} />;
  if (step.kind === 'remove') return <RemoveFactor passkey={step.passkey} onDone={onDone} />;
  return <AddCodeApp onAdded={added} onFailed={refresh} onCancel={onDone} />;
}

function RenamePasskey({ passkey, onDone }: { passkey: PasskeyItem; onDone: () => void }): ReactNode {
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

function RenewCodes({ onCodes, onCancel }: { onCodes: (codes: readonly string[]) => void; onCancel: () => void }): ReactNode {
  const { save } = useSave(renewRecoveryCodes, { refresh: false, onSaved: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return (
    <PasswordForm
      title={NEW_CODES_QUESTION}
      text={NEW_CODES_MEAN}
      submitLabel={NEW_CODES}
      onSubmit={(password) => save({ body: { password } })}
      onCancel={onCancel}
    />
  );
}

function RemoveFactor({ passkey, onDone }: { passkey: PasskeyItem | null; onDone: () => void }): ReactNode {
  const removed = (): void => {
    toast({ title: FACTOR_REMOVED });
    onDone();
  };
  const { save: saveApp } = useSave(removeCodeApp, { refresh: 'always', onSaved: removed });
  const { save: savePasskey } = useSave(removePasskey, { refresh: 'always', onSaved: removed });
  return (
    <PasswordForm
      title={removeQuestion(passkey?.name ?? CODE_APP)}
      text={REMOVE_MEANS}
      submitLabel={REMOVE}
      isDanger
      onSubmit={(password) =>
        passkey ? savePasskey({ params: { passkeyId: passkey.id }, body: { password } }) : saveApp({ body: { password } })
      }
      onCancel={onDone}
    />
  );
}
