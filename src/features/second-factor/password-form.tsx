import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { TextField } from '../../client/ui/forms/field.tsx';
import { PasswordField } from '../../client/ui/forms/password-field.tsx';
import { useUser } from '../auth/auth-provider.tsx';
import { FactorForm, type FactorFormProps } from './factor-form.tsx';
import { NAME, NAME_HINT, NAME_REQUIRED, PASSWORD, PASSWORD_REQUIRED } from './texts.ts';

export interface PasswordFormProps extends Pick<FactorFormProps, 'title' | 'text' | 'submitLabel' | 'isDanger' | 'onCancel'> {
  /** The initial value of the name field. Without `name` the form has no name field. */
  name?: string;
  /** Called with the typed values. Resolves to `error` if the attempt failed. */
  onSubmit: (password: string, name: string) => Promise<{ ok: true } | { ok: false; error: Error }>;
}

/** Asks for the password before the user changes the second factor. If a passkey is added, the form also asks for its name. */
export function PasswordForm({ name, onSubmit, ...form }: PasswordFormProps): ReactNode {
  const { email } = useUser();
  const [password, setPassword] = useState('');
  const [typedName, setTypedName] = useState(name ?? '');
  const [isTried, setIsTried] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const nameProblem = name !== undefined && typedName.trim() === '' ? NAME_REQUIRED : undefined;
  const problem = password.trim() === '' ? PASSWORD_REQUIRED : undefined;

  const submit = async ({ elements }: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    setRefusal(undefined);
    const field = (part: string) => elements.namedItem(part) as HTMLInputElement;
    if (nameProblem !== undefined || problem !== undefined) return field(nameProblem === undefined ? 'password' : 'name').focus();
    setIsSaving(true);
    const saved = await onSubmit(password, typedName.trim());
    setIsSaving(false);
    if (saved.ok) return;
    setRefusal(sentenceOf(saved.error));
    field('password').focus();
  };

  return (
    <FactorForm {...form} isSaving={isSaving} onSubmit={submit}>
      {name !== undefined && (
        <TextField
          label={NAME}
          name="name"
          hint={NAME_HINT}
          maxLength={100}
          value={typedName}
          error={isTried ? nameProblem : undefined}
          onChange={(event) => setTypedName(event.target.value)}
        />
      )}
      <PasswordField
        label={PASSWORD}
        name="password"
        autoComplete="current-password"
        value={password}
        error={refusal ?? (isTried ? problem : undefined)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {/* This hidden field tells password managers to which account the password belongs. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
    </FactorForm>
  );
}
