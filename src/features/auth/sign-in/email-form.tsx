import { useState, type ReactNode } from 'react';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { Email } from '../../../shared/fields.ts';
import { AuthForm } from './auth-panel.tsx';
import { EMAIL } from '../texts.ts';

export interface TypedEmail {
  email: string;
  onEmail: (email: string) => void;
}

export function EmailField({ email, onEmail, error }: TypedEmail & { error: string | undefined }): ReactNode {
  return (
    <TextField
      label={EMAIL}
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      value={email}
      error={error}
      onChange={(event) => onEmail(event.target.value)}
    />
  );
}

interface EmailFormProps extends TypedEmail {
  submitLabel: string;
  isSaving: boolean;
  onSubmit: (email: string) => void;
}

export function EmailForm({ email, onEmail, onSubmit, ...form }: EmailFormProps): ReactNode {
  const [isTried, setIsTried] = useState(false);
  const { data, error } = Email.safeParse(email);
  const submit = ({ elements }: HTMLFormElement): void => {
    setIsTried(true);
    if (data !== undefined) onSubmit(data);
    else (elements.namedItem('email') as HTMLInputElement).focus();
  };
  return (
    <AuthForm {...form} onSubmit={submit}>
      <EmailField email={email} onEmail={onEmail} error={isTried ? error?.issues[0]?.message : undefined} />
    </AuthForm>
  );
}
