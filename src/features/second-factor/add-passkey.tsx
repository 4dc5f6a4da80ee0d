import type { startRegistration } from '@simplewebauthn/browser';
import type { ReactNode } from 'react';
import { useSave } from '../../client/api/use-calls.ts';
import { addPasskey, startPasskey } from './contract.ts';
import { PasswordForm, type PasswordFormProps } from './factor-form.tsx';
import { ADD_PASSKEY, CONTINUE, DEFAULT_NAME, NOT_POSSIBLE, PASSKEY_LEAD, PASSKEY_NOT_MADE } from './texts.ts';

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

export interface AddFactorProps {
  /** Called after a factor was added. `recoveryCodes` are new recovery codes; undefined if the server created none. */
  onAdded: (recoveryCodes: readonly string[] | undefined) => void;
  /** Called if adding failed. The server may have added the factor although its reply was lost. */
  onFailed: () => void;
  onCancel: () => void;
}

export function AddPasskey({ onAdded, onFailed, onCancel }: AddFactorProps): ReactNode {
  const { save: start } = useSave(startPasskey, { refresh: false });
  const { save: add } = useSave(addPasskey, { refresh: false, onSaved: ({ recoveryCodes }) => onAdded(recoveryCodes) });
  const submit: PasswordFormProps['onSubmit'] = async (password, name) => {
    const browser = await import('@simplewebauthn/browser');
    if (!browser.browserSupportsWebAuthn()) return { ok: false, error: new Error(NOT_POSSIBLE) };
    const started = await start({ body: { password } });
    if (!started.ok) return started;
    const passkey = await browser.startRegistration({ optionsJSON: started.reply as Options }).catch(() => null);
    if (!passkey) return { ok: false, error: new Error(PASSKEY_NOT_MADE) };
    const added = await add({ body: { name, passkey } });
    if (!added.ok) onFailed();
    return added;
  };
  return (
    <PasswordForm
      title={ADD_PASSKEY}
      text={PASSKEY_LEAD}
      submitLabel={CONTINUE}
      name={DEFAULT_NAME}
      onSubmit={submit}
      onCancel={onCancel}
    />
  );
}
