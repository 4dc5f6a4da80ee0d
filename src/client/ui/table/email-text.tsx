import type { ReactNode } from 'react';

/** Shows an e-mail address. In a narrow column the line breaks before the @, so that the domain is not split. */
export function EmailText({ email }: { email: string | null }): ReactNode {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
