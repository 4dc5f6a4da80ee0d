import type { ReactNode } from 'react';

/** Shows a person's name with the e-mail address below it, or only the e-mail address when there is no name. */
export function Person({ name, email }: { name: string; email: string | null }): ReactNode {
  return (
    <>
      {/* Without breaks, one very long name would widen the column and shrink the whole printed report. */}
      <span className="block min-w-32 wrap-anywhere">{name || email}</span>
      {name !== '' && email !== null && <span className="block text-xs font-normal break-all text-ink-soft">{email}</span>}
    </>
  );
}
