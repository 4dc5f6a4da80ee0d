import { useState, type ReactNode } from 'react';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { linkKind } from '../../../domain/accounts/account.ts';
import { AuthPanel, BackToSignIn, MailPanel, Notice } from './auth-panel.tsx';
import { requestReset } from '../contract.ts';
import { EmailForm, type TypedEmail } from './email-form.tsx';
import { FORGOT_TITLE, MAIL_LINK, MAILED_TITLE, NEW_INVITATION_LEAD, NEW_LINK, NEW_LINK_TITLE, RESET_LEAD } from '../texts.ts';

interface RequestResetProps extends TypedEmail {
  /** The reason why the link that the user followed is invalid; null without such a link. */
  problem: string | null;
  /** The token of the invalid link, if it is known. */
  expired: string | undefined;
}

/**
 * The first step of a password reset, in which the user requests a link by mail. The server's reply is the same for every e-mail address
 * (contract §3).
 */
export function RequestReset({ problem, expired, ...typed }: RequestResetProps): ReactNode {
  const [answer, setAnswer] = useState<string | null>(null);
  const { save, isSaving } = useSave(requestReset, { onSaved: ({ message }) => setAnswer(message) });
  const invitation = expired !== undefined && linkKind(expired) === 'invitation' ? expired : undefined;
  if (answer !== null) return <MailPanel title={MAILED_TITLE} answer={answer} />;
  return (
    <AuthPanel title={problem === null ? FORGOT_TITLE : NEW_LINK_TITLE} text={invitation === undefined ? RESET_LEAD : NEW_INVITATION_LEAD}>
      {problem !== null && <Notice>{problem}</Notice>}
      <EmailForm
        {...typed}
        submitLabel={problem === null ? MAIL_LINK : NEW_LINK}
        isSaving={isSaving}
        onSubmit={(address) => {
          // A new attempt removes the error toasts of earlier attempts.
          dismissToasts();
          void save({ body: { email: address, ...(invitation === undefined ? {} : { invitation }) } });
        }}
      />
      <BackToSignIn />
    </AuthPanel>
  );
}
