import type { ReactNode } from 'react';

/** The name with the e-mail address below it, or the e-mail address alone. */
export function Person({ name, email }: { name: string; email: string | null }): ReactNode {
  if (name === '') return email;
  return (
    <>
      {name}
      {email !== null && <span className="block text-xs font-normal break-all text-ink-soft">{email}</span>}
    </>
  );
}
