import { CircleUserRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { scriptLoader } from '../../../client/navigation/lazy-screen.ts';
import { ERROR } from '../../../client/texts.ts';
import { dismissErrorOf, toast } from '../../../client/toasts/toast.ts';
import { IconButton } from '../../../client/ui/forms/button.tsx';
import type { AccountDialog } from './account-dialog.tsx';
import { ACCOUNT, ACCOUNT_FAILED } from '../texts.ts';

/** Renders the button that opens the account dialog. Every screen has this button, so the dialog's script is loaded only on demand. */
export function AccountButton(): ReactNode {
  const [Dialog, setDialog] = useState<typeof AccountDialog | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [loadDialog] = useState(() => scriptLoader(() => import('./account-dialog.tsx')));
  const open = async (): Promise<void> => {
    setIsOpen(true);
    await loadDialog().then(
      (loaded) => {
        dismissErrorOf(ACCOUNT);
        setDialog(() => loaded.AccountDialog);
      },
      () => {
        setIsOpen(false);
        toast({ title: ERROR, description: ACCOUNT_FAILED, variant: 'destructive', actionKey: ACCOUNT });
      },
    );
  };
  return (
    <>
      <IconButton label={ACCOUNT} icon={<CircleUserRound aria-hidden />} aria-haspopup="dialog" onClick={() => void open()} />
      {Dialog && <Dialog open={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  );
}
