import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import type { TextFieldProps } from './field.tsx';
import { HIDE_PASSWORD, SHOW_PASSWORD } from '../../texts.ts';

/**
 * Renders a password field with a button that shows the password. Password managers can fill the field, and the user can paste into it.
 */
export function PasswordField({ label, hint, error, className, ...input }: Omit<TextFieldProps, 'type'>): ReactNode {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <span className="relative block">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="control pe-12"
          />
          <button
            type="button"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-ctl text-ink-soft hover:text-ink"
          >
            <Icon className="size-5" aria-hidden />
            <span className="sr-only">{isShown ? HIDE_PASSWORD : SHOW_PASSWORD}</span>
          </button>
        </span>
      )}
    </Field>
  );
}
