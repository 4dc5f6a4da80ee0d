import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { refreshReads, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { AddCodeApp } from './add-code-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { removeCodeApp, removePasskey, renewRecoveryCodes, type PasskeyItem } from './contract.ts';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import {
  CODE_APP,
  FACTOR_ADDED,
  FACTOR_REMOVED,
  NEW_CODES,
  NEW_CODES_MEAN,
  NEW_CODES_QUESTION,
  REMOVE,
  REMOVE_MEANS,
  removeQuestion,
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
  // disappears. This function is therefore called only after the user has seen the recovery codes.
  const finish = (): void => {
    onDone();
    void refreshReads(client);
  };
  const added = (recoveryCodes: readonly string[] | undefined): void => {
    toast(FACTOR_ADDED);
    if (recoveryCodes) setCodes(recoveryCodes);
    else finish();
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={finish} onDirty={onDirty} />;
  if (step.kind === 'add passkey') return <AddPasskey onAdded={added} onCancel={onDone} />;
  if (step.kind === 'rename') return <RenamePasskey passkey={step.passkey} onDone={onDone} />;
  if (step.kind === 'renew') return <RenewCodes onCodes={setCodes} onCancel={onDone} />;
  if (step.kind === 'remove') return <RemoveFactor passkey={step.passkey} onDone={onDone} />;
  return <AddCodeApp onAdded={added} onCancel={onDone} />;
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
  const { save: saveApp } = useSave(removeCodeApp, { onSaved: removed });
  const { save: savePasskey } = useSave(removePasskey, { onSaved: removed });
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
