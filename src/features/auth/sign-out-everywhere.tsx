import { useState, type ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { useSave } from '../../client/use-calls.ts';
import { useAuth } from './auth-provider.tsx';
import { signOutEverywhere } from './contract.ts';

/** Ends every session of the signed-in user, this one included. */
export function SignOutEverywhere(): ReactNode {
  const { logout } = useAuth();
  const [isAsking, setIsAsking] = useState(false);
  const { save, isSaving } = useSave(signOutEverywhere, { refresh: false });
  const leave = async (): Promise<void> => {
    if ((await save()).ok) await logout();
  };
  return (
    <section className="mt-7 grid gap-3 border-t border-line pt-6">
      <h3 className="font-semibold">Other devices</h3>
      <p className="text-s text-ink-soft">Lost a phone, or signed in on a computer that is not yours? End every session at once.</p>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        trigger={
          <Button className="md:justify-self-start" isLoading={isSaving}>
            Sign out everywhere
          </Button>
        }
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        onConfirm={() => void leave()}
      >
        You are signed out on every phone and computer, this one included.
      </ConfirmDialog>
    </section>
  );
}
