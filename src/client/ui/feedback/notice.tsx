import { useEffect, useRef, type ReactNode } from 'react';

interface NoticeProps {
  title: string;
  /** Whether the notice has just appeared, so that its title gets the focus. */
  isNew?: boolean;
  children: ReactNode;
}

/** Shows a notice above a form, as a region of its own. */
export function Notice({ title, isNew = false, children }: NoticeProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <section aria-label={title} className="mb-5 rounded-card border border-wait-fill bg-wait-soft p-4">
      <h2 ref={heading} tabIndex={-1} className="font-sans text-m font-semibold outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}
