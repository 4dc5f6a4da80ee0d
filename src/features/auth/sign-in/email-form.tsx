import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { Email } from '../../../shared/fields.ts';
import { EMAIL } from '../texts.ts';

export interface TypedEmail {
  email: string;
  onEmail: (email: string) => void;
}

interface EmailFormProps extends TypedEmail {
  submitLabel: string;
  isSaving: boolean;
  onSubmit: (email: string) => void;
}

export function EmailForm({ email, onEmail, submitLabel, isSaving, onSubmit }: EmailFormProps): ReactNode {
  const [isTried, setIsTried] = useState(false);
  const { data, error } = Email.safeParse(email);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    setIsTried(true);
    if (data !== undefined) onSubmit(data);
    else (event.currentTarget.elements.namedItem('email') as HTMLInputElement).focus();
  };
  return (
    <Form onSubmit={submit} className="mt-7 grid gap-5 [&_input]:min-h-[46px]">
      <TextField
        label={EMAIL}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        error={isTried ? error?.issues[0]?.message : undefined}
        onChange={(event) => onEmail(event.target.value)}
      />
      <Button type="submit" variant="main" size="l" className="mt-2 w-full" isLoading={isSaving}>
        {submitLabel}
      </Button>
    </Form>
  );
}
