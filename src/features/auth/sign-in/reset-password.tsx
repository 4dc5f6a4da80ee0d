import { useEffect, useState, type ReactNode } from 'react';
import { CallError } from '../../../client/api/fetch.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { isJoinToken, linkKind } from '../../../domain/accounts/account.ts';
import { AuthForm, AuthPanel, BackToSignIn, Notice } from './auth-panel.tsx';
import { useAuth } from '../auth-provider.tsx';
import { checkLink, LINK_REFUSED, resetPassword } from '../contract.ts';
import { NewPasswordField, newPasswordProblem } from '../new-password-field.tsx';
import { INVALID_LINK, JOIN_AGAIN, NEW_LINK, NEW_PASSWORD_LEAD, RESET_TITLE, SET_TITLE, SIGNED_IN_HERE } from '../texts.ts';

interface ResetPasswordProps {
  token: string;
  onLeave: () => void;
  onExpired: () => void;
}

/** Returns whether the server refuses the link; false until the server has replied. */
function useIsRefused(token: string): boolean {
  const [isRefused, setIsRefused] = useState(false);
  const { save } = useSave(checkLink, {
    refresh: false,
    onSaved: ({ isValid }) => setIsRefused(!isValid),
    // A failed check shows no toast, because the page reports the problem when the user submits the form.
    onError: () => undefined,
  });
  useEffect(() => void save({ body: { token } }), [save, token]);
  return isRefused;
}

const TITLES = { reset: RESET_TITLE, invitation: SET_TITLE };

/** The second step of a password reset, or the form for an invited person's first password (spec §2, contract §3). */
export function ResetPassword({ token, onLeave, onExpired }: ResetPasswordProps): ReactNode {
  const { becomeUser, refreshUser, askSecondFactor } = useAuth();
  const [password, setPassword] = useState('');
  const [isTried, setIsTried] = useState(false);
  const { save, isSaving } = useSave(resetPassword, { refresh: false });
  const isRefused = useIsRefused(token);
  const problem = newPasswordProblem(password);
  const title = isJoinToken(token) ? SET_TITLE : TITLES[linkKind(token)];

  const submit = async (form: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    if (problem !== undefined) {
      (form.elements.namedItem('newPassword') as HTMLInputElement).focus();
      return;
    }
    const saved = await save({ body: { token, password } });
    if (saved.ok) {
      const { user, secondFactor, message } = saved.reply;
      if (user) becomeUser(user);
      else await refreshUser();
      if (secondFactor) askSecondFactor(secondFactor);
      toast({ title: message, description: user || secondFactor ? undefined : SIGNED_IN_HERE });
      onLeave();
    } else if (saved.error instanceof CallError && saved.error.text === LINK_REFUSED) onExpired();
  };

  return (
    <AuthPanel title={title} text={NEW_PASSWORD_LEAD}>
      <div role="alert">{isRefused && <RefusedLink token={token} onExpired={onExpired} />}</div>
      <AuthForm submitLabel={title} isSaving={isSaving} variant={isRefused ? 'plain' : 'main'} onSubmit={submit}>
        <NewPasswordField password={password} onPassword={setPassword} error={isTried ? problem : undefined} />
      </AuthForm>
      <BackToSignIn onLeave={onLeave} />
    </AuthPanel>
  );
}

/**
 * Tells the user that the link is invalid, above the form that the specification requires. The user can request a new reset link here, but
 * not a new join link.
 */
function RefusedLink({ token, onExpired }: Pick<ResetPasswordProps, 'token' | 'onExpired'>): ReactNode {
  return (
    <Notice>
      <p>{INVALID_LINK}</p>
      {isJoinToken(token) ? (
        <p className="mt-2">{JOIN_AGAIN}</p>
      ) : (
        <Button variant="main" className="mt-3" onClick={onExpired}>
          {NEW_LINK}
        </Button>
      )}
    </Notice>
  );
}
