import clsx from 'clsx';
import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import { PasswordField } from '../../client/ui/forms/password-field.tsx';
import { passwordProblem } from '../../domain/accounts/account.ts';
import { Password } from '../../shared/fields.ts';
import { NEW_PASSWORD, PASSWORD_RULES, RULE_MET } from './texts.ts';

/** Returns the first problem of a new password, in the words of spec §5. */
export const newPasswordProblem = (password: string): string | undefined => Password.safeParse(password).error?.issues[0]?.message;

// The rules, each with its label. To check a rule separately, `withTheRest` changes the typed password so that it satisfies the
// other three rules.
const RULES: readonly { label: string; withTheRest: (password: string) => string }[] = [
  { label: PASSWORD_RULES.length, withTheRest: (password) => `Zq7${password.slice(3)}` },
  { label: PASSWORD_RULES.uppercase, withTheRest: (password) => `${password}aaaaaaa1` },
  { label: PASSWORD_RULES.lowercase, withTheRest: (password) => `${password}AAAAAAA1` },
  { label: PASSWORD_RULES.number, withTheRest: (password) => `${password}AAAAAAAa` },
];

interface NewPasswordFieldProps {
  password: string;
  onPassword: (password: string) => void;
  error: string | undefined;
}

/**
 * Renders a field for a new password. Below the field, each of the four rules of spec §5 is ticked as soon as the typed password satisfies
 * it.
 */
export function NewPasswordField({ password, onPassword, error }: NewPasswordFieldProps): ReactNode {
  return (
    <PasswordField
      label={NEW_PASSWORD}
      name="newPassword"
      autoComplete="new-password"
      value={password}
      error={error}
      hint={
        <span className="grid gap-x-4 gap-y-0.5 min-[420px]:grid-cols-2">
          {RULES.map(({ label, withTheRest }) => (
            <Rule key={label} label={label} isMet={passwordProblem(withTheRest(password.trim())) === null} />
          ))}
        </span>
      }
      onChange={(event) => onPassword(event.target.value)}
    />
  );
}

function Rule({ label, isMet }: { label: string; isMet: boolean }): ReactNode {
  const Icon = isMet ? Check : Circle;
  return (
    <span className={clsx('flex items-center gap-2', isMet && 'text-good')}>
      <Icon className={clsx('size-4 shrink-0', !isMet && 'p-0.5')} strokeWidth={isMet ? 2.5 : 2} aria-hidden />
      {label}
      {isMet && <span className="sr-only">{RULE_MET}</span>}
    </span>
  );
}
