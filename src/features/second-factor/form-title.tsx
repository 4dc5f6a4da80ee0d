import { useEffect, useRef, type ReactNode } from 'react';

/** Shows the title of a form. The title gets the focus, because the button that opened the form has disappeared with the focus. */
export function FormTitle({ title, text }: { title: string; text?: string }): ReactNode {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div>
      <p ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
      </p>
      {text !== undefined && <p className="mt-1 text-s text-ink-soft">{text}</p>}
    </div>
  );
}
