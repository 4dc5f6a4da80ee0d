import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { confirmBeforeLeaving } from '../../../client/navigation/use-leave-guard.ts';
import { AccountButton } from './account-button.tsx';
import { useAuth } from '../auth-provider.tsx';
import { LOGOUT } from '../texts.ts';
import { useSignOutQuestion } from './use-sign-out-question.tsx';

/**
 * Renders the Logout button and the account button. While this device has counter entries that are not sent yet, logging out asks for
 * confirmation (contract §14).
 */
export function LogoutButton(): ReactNode {
  const { logout, isSigningOut } = useAuth();
  const { ask, question } = useSignOutQuestion({ onYes: logout });
  return (
    <div className="flex items-center md:gap-1">
      <AccountButton />
      <Button variant="quiet" isLoading={isSigningOut} onClick={() => confirmBeforeLeaving(() => void ask())}>
        {LOGOUT}
      </Button>
      {question}
    </div>
  );
}
