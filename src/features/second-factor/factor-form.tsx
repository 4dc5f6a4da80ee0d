import { useEffect, useRef, type ReactNode } from 'react';
import { firstFieldIn } from '../../client/focus/first-field.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { CANCEL } from '../../client/texts.ts';

export interface FactorFormProps {
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
