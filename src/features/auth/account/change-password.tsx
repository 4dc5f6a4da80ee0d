import { useState, type ReactNode } from 'react';
import { CallError } from '../../../client/api/fetch.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { PasswordField } from '../../../client/ui/forms/password-field.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { useUser } from '../auth-provider.tsx';
import { changePassword } from '../contract.ts';
import { NewPasswordField, newPasswordProblem } from '../new-password-field.tsx';
import { CHANGE_PASSWORD, CURRENT_PASSWORD, CURRENT_PASSWORD_REQUIRED, PASSWORD_CHANGED } from './texts.ts';

/**
 * Renders the form with which signed-in users change their password. It asks for the current password. The change ends the user's other
 * sessions.
 */
export function ChangePassword({ onChanged }: { onChanged: () => void }): ReactNode {
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { save, isSaving } = useSave(changePassword);
  const missing = current.trim() === '' ? CURRENT_PASSWORD_REQUIRED : undefined;
  const problem = newPasswordProblem(password);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    setRefusal(undefined);
    const first = missing ? 'currentPassword' : problem ? 'newPassword' : null;
    const saved = first === null ? await save({ body: { currentPassword: current, password } }) : null;
    if (saved?.ok) {
      toast(PASSWORD_CHANGED);
      onChanged();
      return;
    }
    if (saved?.error instanceof CallError) setRefusal(saved.error.text);
    (form.elements.namedItem(first ?? 'currentPassword') as HTMLInputElement).focus();
  };

  return (
    <Form onSubmit={({ currentTarget }) => submit(currentTarget)} className="grid gap-5">
      <h3 className="font-semibold">{CHANGE_PASSWORD}</h3>
      <PasswordField
        label={CURRENT_PASSWORD}
        name="currentPassword"
        autoComplete="current-password"
        value={current}
        error={refusal ?? (isTried ? missing : undefined)}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <NewPasswordField password={password} onPassword={setPassword} error={isTried ? problem : undefined} />
      {/* From this hidden field, a password manager knows to which account the password belongs. */}
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <Button type="submit" variant="main" className="md:justify-self-start" isLoading={isSaving}>
        {CHANGE_PASSWORD}
      </Button>
    </Form>
  );
}
