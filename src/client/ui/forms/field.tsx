import clsx from 'clsx';
import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';

export interface FieldText {
  label: string;
  hint?: ReactNode;
  /** The message shown below the field; screen readers read it with the field. */
  error?: string | undefined;
}

interface FieldFrameProps extends FieldText {
  className?: string | undefined;
  children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }) => ReactNode;
}

export function Field({ label, hint, error, className, children }: FieldFrameProps): ReactNode {
  const id = useId();
  const describedBy = clsx(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`) || undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block w-fit text-s font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error === undefined ? undefined : true })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-s text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }): ReactNode {
  if (error === undefined) return null;
  return (
    <p id={id} className="mt-1.5 text-s font-semibold text-bad">
      {error}
    </p>
  );
}

export type TextFieldProps = FieldText & Omit<ComponentProps<'input'>, 'id'>;

/** Input types that are written left to right in every language. */
const RIGHTWARD: readonly (string | undefined)[] = ['email', 'tel', 'url'];

export function TextField({ label, hint, error, className, ...input }: TextFieldProps): ReactNode {
  const isRightward = RIGHTWARD.includes(input.type);
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <input
          {...input}
          {...control}
          dir={isRightward ? 'ltr' : input.dir}
          className={clsx(
            'control',
            (input.inputMode === 'numeric' || input.inputMode === 'decimal') && 'num',
            // An e-mail address, a phone number or a URL is written from left to right in every language. On the page of a mirrored
            // language it is aligned at the same side as the texts of other fields.
            isRightward && 'rtl:text-end',
          )}
        />
      )}
    </Field>
  );
}

type TextAreaProps = FieldText & Omit<ComponentProps<'textarea'>, 'id'>;

export function TextArea({ label, hint, error, className, ...area }: TextAreaProps): ReactNode {
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => <textarea {...area} {...control} className="control resize-y py-2.5" />}
    </Field>
  );
}

type CheckFieldProps = Pick<FieldText, 'label' | 'hint'> & Omit<ComponentProps<'input'>, 'id' | 'type'>;

export function CheckField({ label, hint, className, ...input }: CheckFieldProps): ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-11 items-center gap-3 dense:min-h-9">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="size-6 shrink-0 accent-accent"
        />
        <span className="text-s font-semibold">{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="ms-9 text-s text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
