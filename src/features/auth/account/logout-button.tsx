import { Suspense, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { confirmBeforeLeaving } from '../../../client/navigation/use-leave-guard.ts';
import { deviceOwner } from '../../../client/storage/device-owner.ts';
import { AccountButton } from './account-button.tsx';
import { useAuth } from '../auth-provider.tsx';
import { LOGOUT } from '../texts.ts';

const SignOutQuestion = lazyScreen(async () => (await import('../../counter/sign-out-question.tsx')).SignOutQuestion);

/**
 * Renders the Logout button and the account button. While this device has counter entries that are not sent yet, logging out asks for
 * confirmation (contract §14).
 */
export function LogoutButton(): ReactNode {
  const { logout } = useAuth();
  const [unsent, setUnsent] = useState(0);
  const leave = async (): Promise<void> => {
    const waiting = deviceOwner() === null ? 0 : await (await import('../../counter/device/device-data.ts')).countUnsent();
    if (waiting > 0) setUnsent(waiting);
    else await logout();
  };
  return (
    <div className="flex items-center md:gap-1">
      <AccountButton />
      <Button variant="quiet" onClick={() => confirmBeforeLeaving(() => void leave())}>
        {LOGOUT}
      </Button>
      {unsent > 0 && (
        <Suspense>
          <SignOutQuestion
            unsent={unsent}
            onAnswer={(isYes) => {
              setUnsent(0);
              if (isYes) void logout();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
