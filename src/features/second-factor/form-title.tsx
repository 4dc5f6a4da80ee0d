import { useEffect, useRef, type ReactNode } from 'react';
import { firstFieldIn } from '../../client/focus/first-field.ts';

/**
 * Shows the title of a form. The button that opened the form is removed while it has the focus. The form's first field therefore gets the
 * focus. If the form has no field, or the device has no keyboard, the title gets the focus.
 */
export function FormTitle({ title, text }: { title: string; text?: string }): ReactNode {
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
