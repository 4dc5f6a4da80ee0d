import type { ReactNode } from 'react';

/** Who it is, and below the e-mail; the e-mail alone of somebody who has not given a name yet. */
export function Person({ name, email }: { name: string; email: string | null }): ReactNode {
  if (name === '') return email;
  return (
    <>
      {name}
      {email !== null && <span className="block text-xs font-normal break-all text-ink-soft">{email}</span>}
    </>
  );
}
