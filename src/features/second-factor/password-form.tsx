import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { PasswordField } from '../../client/ui/forms/password-field.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { useUser } from '../auth/auth-provider.tsx';
import { FormTitle } from './form-title.tsx';
import { CANCEL } from '../../client/texts.ts';
import { NAME, NAME_HINT, NAME_REQUIRED, PASSWORD, PASSWORD_REQUIRED } from './texts.ts';

export interface PasswordFormProps {
  title: string;
  text: string;
  submitLabel: string;
  isDanger?: boolean;
  /** The initial value of the name field. Without `name` the form has no name field. */
  name?: string;
  /** Called with the typed values. Resolves to the error if the attempt failed, otherwise to null. */
  onSubmit: (password: string, name: string) => Promise<Error | null>;
  onCancel: () => void;
}

/** Asks for the password before the user changes the second factor. If a passkey is added, the form also asks for its name. */
export function PasswordForm({ title, text, submitLabel, isDanger = false, name, onSubmit, onCancel }: PasswordFormProps): ReactNode {
  const { email } = useUser();
  const [password, setPassword] = useState('');
  const [typedName, setTypedName] = useState(name ?? '');
  const [isTried, setIsTried] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const nameProblem = name !== undefined && typedName.trim() === '' ? NAME_REQUIRED : undefined;
  const problem = password.trim() === '' ? PASSWORD_REQUIRED : undefined;

  const submit = async (form: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    setRefusal(undefined);
    const field = (part: string) => form.elements.namedItem(part) as HTMLInputElement;
    if (nameProblem !== undefined || problem !== undefined) return field(nameProblem === undefined ? 'password' : 'name').focus();
    setIsSaving(true);
    const error = await onSubmit(password, typedName.trim());
    setIsSaving(false);
    if (!error) return;
    setRefusal(sentenceOf(error));
    field('password').focus();
  };

  return (
    <Form
      aria-label={title}
      onSubmit={({ currentTarget }) => submit(currentTarget)}
      className="grid gap-4 rounded-ctl border border-line p-4"
    >
      <FormTitle title={title} text={text} />
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
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant={isDanger ? 'danger' : 'main'} isLoading={isSaving}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel}>{CANCEL}</Button>
      </div>
    </Form>
  );
}
