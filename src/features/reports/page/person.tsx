import type { ReactNode } from 'react';

/** Shows a person's name with the e-mail address below it, or only the e-mail address when there is no name. */
export function Person({ name, email }: { name: string; email: string | null }): ReactNode {
  if (name === '') return email;
  return (
    <>
      {name}
      {email !== null && <span className="block text-xs font-normal break-all text-ink-soft">{email}</span>}
    </>
  );
}
