import { CircleUserRound } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { reloadWhenReached } from '../../../client/navigation/lazy-screen.ts';
import { ERROR } from '../../../client/texts.ts';
import { dismissErrorOf, toast } from '../../../client/toasts/toast.ts';
import { IconButton } from '../../../client/ui/forms/button.tsx';
import type { AccountDialog } from './account-dialog.tsx';
import { ACCOUNT, ACCOUNT_FAILED } from '../texts.ts';

/** Opens the account dialog, which loads on demand because every screen has this button. */
export function AccountButton(): ReactNode {
  const [Dialog, setDialog] = useState<typeof AccountDialog | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const failures = useRef(0);
  const open = async (): Promise<void> => {
    setIsOpen(true);
    await import('./account-dialog.tsx').then(
      (loaded) => {
        dismissErrorOf(ACCOUNT);
        setDialog(() => loaded.AccountDialog);
      },
      async () => {
        setIsOpen(false);
        toast({ title: ERROR, description: ACCOUNT_FAILED, variant: 'destructive', actionKey: ACCOUNT });
        failures.current++;
        // A browser that caches the failure of a script loads it only after a reload.
        if (failures.current > 1) await reloadWhenReached();
      },
    );
  };
  return (
    <>
      <IconButton label={ACCOUNT} icon={<CircleUserRound aria-hidden />} aria-haspopup="dialog" onClick={() => void open()} />
      {Dialog && <Dialog open={isOpen} onOpenChange={setIsOpen} />}
    </>
  );
}
