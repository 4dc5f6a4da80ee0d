import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { confirmBeforeLeaving } from '../../../client/navigation/use-leave-guard.ts';
import { AccountButton } from './account-button.tsx';
import { useAuth } from '../auth-provider.tsx';
import { LOGOUT } from '../texts.ts';

/** Logout, with a link to the user's account beside it. */
export function LogoutButton(): ReactNode {
  const { logout } = useAuth();
  return (
    <div className="flex items-center md:gap-1">
      <AccountButton />
      <Button variant="quiet" onClick={() => confirmBeforeLeaving(() => void logout())}>
        {LOGOUT}
      </Button>
    </div>
  );
}
