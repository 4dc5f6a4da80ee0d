import { useEffect, useRef, useState, type ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { firstFieldIn } from '../../client/focus/first-field.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { PasswordField } from '../../client/ui/forms/password-field.tsx';
import { CANCEL } from '../../client/texts.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { NAME, NAME_HINT, NAME_REQUIRED, PASSWORD, PASSWORD_REQUIRED } from './texts.ts';

interface FactorFormProps {
  title: string;
  text?: string;
  submitLabel: string;
  isDanger?: boolean;
  isSaving: boolean;
  onSubmit: (form: HTMLFormElement) => unknown;
  onCancel: () => void;
  children: ReactNode;
}

/** Renders a form of the second factor in the account dialog, with its title and its buttons. */
export function FactorForm({
  title,
  text,
  submitLabel,
  isDanger = false,
  isSaving,
  onSubmit,
  onCancel,
  children,
}: FactorFormProps): ReactNode {
  return (
    <Form
      aria-label={title}
      onSubmit={({ currentTarget }) => onSubmit(currentTarget)}
      className="grid gap-4 rounded-ctl border border-line p-4"
    >
      <FormTitle title={title} text={text} />
      {children}
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant={isDanger ? 'danger' : 'main'} isLoading={isSaving}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel}>{CANCEL}</Button>
      </div>
    </Form>
  );
}

/**
 * Shows the title of a form. The button that opened the form is removed while it has the focus. The form's first field therefore gets the
 * focus. If the form has no field, or the device has no keyboard, the title gets the focus.
 */
export function FormTitle({ title, text }: { title: string; text?: string | undefined }): ReactNode {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const form = heading.current?.closest('form');
    ((form && firstFieldIn(form)) ?? heading.current)?.focus();
  }, []);
  return (
    <div>
      <p ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
      </p>
      {text !== undefined && <p className="mt-1 text-s text-ink-soft">{text}</p>}
    </div>
  );
}

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
