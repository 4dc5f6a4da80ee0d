import { useState, type ReactNode } from 'react';
import { CallError } from '../../client/api/fetch.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { TextField } from '../../client/ui/forms/field.tsx';
import { QrCode } from '../../client/ui/print/qr-code.tsx';
import type { AddFactorProps } from './add-passkey.tsx';
import { addCodeApp, startCodeApp } from './contract.ts';
import { FactorForm, PasswordForm } from './factor-form.tsx';
import { ADD_CODE_APP, CODE, CODE_APP_LEAD, CODE_REQUIRED, CONTINUE, ENTER_FIRST, SCAN, SCAN_LABEL, TYPE_KEY } from './texts.ts';

export function AddCodeApp({ onCancel, ...added }: AddFactorProps): ReactNode {
  const [setUp, setSetUp] = useState<{ secret: string; uri: string } | null>(null);
  const { save: start } = useSave(startCodeApp, { refresh: false, onSaved: setSetUp });
  if (setUp) return <FirstCode {...setUp} {...added} onCancel={onCancel} />;
  return (
    <PasswordForm
      title={ADD_CODE_APP}
      text={CODE_APP_LEAD}
      submitLabel={CONTINUE}
      onSubmit={(password) => start({ body: { password } })}
      onCancel={onCancel}
    />
  );
}

function FirstCode({ secret, uri, onAdded, onFailed, onCancel }: AddFactorProps & { secret: string; uri: string }): ReactNode {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { save, isSaving } = useSave(addCodeApp, { refresh: false, onSaved: ({ recoveryCodes }) => onAdded(recoveryCodes) });
  const missing = code.replaceAll(/\D/g, '').length === 6 ? undefined : CODE_REQUIRED;
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    setRefusal(undefined);
    const saved = missing === undefined ? await save({ body: { code } }) : null;
    if (saved?.ok) return;
    if (saved) onFailed();
    if (saved?.error instanceof CallError) setRefusal(saved.error.text);
    (form.elements.namedItem('code') as HTMLInputElement).focus();
  };
  return (
    <FactorForm title={ADD_CODE_APP} text={SCAN} submitLabel={CONTINUE} isSaving={isSaving} onSubmit={submit} onCancel={onCancel}>
      <div className="justify-self-center rounded-card border border-line bg-[#fff] p-1">
        <QrCode text={uri} label={SCAN_LABEL} className="size-44" />
      </div>
      <p className="text-s">
        {TYPE_KEY}{' '}
        <span dir="ltr" className="font-mono break-words">
          {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
        </span>
      </p>
      <TextField
        label={CODE}
        name="code"
        hint={ENTER_FIRST}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        dir="ltr"
        value={code}
        error={refusal ?? (isTried ? missing : undefined)}
        onChange={(event) => setCode(event.target.value)}
      />
    </FactorForm>
  );
}
