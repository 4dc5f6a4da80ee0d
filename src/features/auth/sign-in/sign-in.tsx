import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { sentenceOf } from '../../../client/api/fetch.ts';
import { PasswordField } from '../../../client/ui/forms/password-field.tsx';
import { normalizedEmail } from '../../../domain/accounts/account.ts';
import { Email } from '../../../shared/fields.ts';
import { AuthForm, AuthPanel, Notice } from './auth-panel.tsx';
import { useAuth } from '../auth-provider.tsx';
import { EmailField, type TypedEmail } from './email-form.tsx';
import {
  FORGOT_PASSWORD,
  LOCKED,
  PASSWORD,
  PASSWORD_REQUIRED,
  RESET_YOUR_PASSWORD,
  SIGN_IN,
  SIGN_IN_LEAD,
  SIGN_IN_TITLE,
} from '../texts.ts';

const FORGOT = '/auth?forgot';

type Problems = { email?: string | undefined; password?: string | undefined };

function problemsOf(email: string, password: string): Problems {
  return {
    email: Email.safeParse(email).error?.issues[0]?.message,
    password: password.trim() === '' ? PASSWORD_REQUIRED : undefined,
  };
}

export function SignIn({ email, onEmail }: TypedEmail): ReactNode {
  const { login, isSigningIn } = useAuth();
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<string | null>(null);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const found = problemsOf(email, password);
    setProblems(found);
    setRefusal(null);
    const first = found.email ? 'email' : found.password ? 'password' : null;
    const error = first === null ? await login({ email: normalizedEmail(email), password }) : null;
    if (error) setRefusal(sentenceOf(error));
    if (!error && !first) return;
    const input = form.elements.namedItem(first ?? 'password') as HTMLInputElement;
    input.focus();
    input.select();
  };

  return (
    <AuthPanel title={SIGN_IN_TITLE} text={SIGN_IN_LEAD}>
      {refusal !== null && (
        <Notice>
          {refusal}
          {refusal === LOCKED && (
            <Link href={FORGOT} className="-mb-3 flex min-h-11 items-center font-semibold underline underline-offset-3">
              {RESET_YOUR_PASSWORD}
            </Link>
          )}
        </Notice>
      )}
      <AuthForm submitLabel={SIGN_IN} isSaving={isSigningIn} onSubmit={submit}>
        <EmailField email={email} onEmail={onEmail} error={problems.email} />
        {/* The "Forgot password?" link comes after the password field in the source, so that Tab moves from the e-mail field directly to
            the password. */}
        <div className="relative">
          <PasswordField
            label={PASSWORD}
            name="password"
            autoComplete="current-password"
            value={password}
            error={problems.password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Link href={FORGOT} className="link absolute end-0 -top-3 py-3 text-s">
            {FORGOT_PASSWORD}
          </Link>
        </div>
      </AuthForm>
    </AuthPanel>
  );
}
