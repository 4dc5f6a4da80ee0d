import { useState, type ReactNode } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { register } from '../../join-requests/contract.ts';
import { AuthPanel, BackToSignIn, MailPanel, Notice } from './auth-panel.tsx';
import { EmailForm, type TypedEmail } from './email-form.tsx';
import { INVALID_LINK, JOIN, JOIN_AGAIN, JOIN_LEAD, JOINED_TITLE, NEW_LINK_TITLE } from '../texts.ts';

interface JoinProps extends TypedEmail {
  code: string;
}

/** The form in which a customer asks to join a distributor. The customer then gets a mail whose link sets the password (contract §3). */
export function Join({ code, ...typed }: JoinProps): ReactNode {
  const [answer, setAnswer] = useState<string | null>(null);
  const { save, isSaving } = useSave(register, { onSaved: ({ message }) => setAnswer(message) });
  if (answer !== null) return <MailPanel title={JOINED_TITLE} answer={answer} />;
  return (
    <AuthPanel title={JOIN} text={JOIN_LEAD}>
      <EmailForm {...typed} submitLabel={JOIN} isSaving={isSaving} onSubmit={(address) => void save({ body: { email: address, code } })} />
      <BackToSignIn />
    </AuthPanel>
  );
}

/** The page of an expired join link. It appears if the account already exists, or if the request to join has expired. */
export function JoinLinkExpired(): ReactNode {
  return (
    <AuthPanel title={NEW_LINK_TITLE} text={JOIN_AGAIN}>
      <Notice>{INVALID_LINK}</Notice>
      <BackToSignIn />
    </AuthPanel>
  );
}
