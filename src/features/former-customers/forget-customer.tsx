import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useFresh, useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { Warning } from '../../client/ui/feedback/warning.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { checkForgetting, forgetCustomer } from './contract.ts';
import { backupsText, FORGET, FORGET_MEANS, forgetQuestion, FORGOTTEN, forgottenText, NOT_NOW } from './texts.ts';

/**
 * Asks for confirmation before a customer's personal data is erased, or shows why this is not possible yet. The caller opens the dialog by
 * rendering it.
 */
export function ForgetCustomer({ userId, name, onClose }: { userId: number; name: string; onClose: () => void }): ReactNode {
  const read = useRead(checkForgetting, { userId });
  const check = useFresh([read]) ? read.data : undefined;
  const { save, isSaving } = useSave(forgetCustomer, {
    onSaved: () => {
      toast({ title: FORGOTTEN, description: forgottenText(userId) });
      // flushSync removes the dialog before the data on the screen is loaded again. Otherwise the dialog would request data about the
      // customer, who no longer exists, and the server would refuse the request.
      flushSync(onClose);
    },
  });
  return (
    <Dialog onClose={onClose} title={forgetQuestion(name)}>
      {check && check.refusal !== null && (
        <Warning role="note" title={NOT_NOW}>
          <p className="mt-1 text-s">{check.refusal}</p>
        </Warning>
      )}
      {check && check.refusal === null && (
        <div className="grid gap-3 text-pretty text-ink-soft">
          <p>{FORGET_MEANS}</p>
          <p>{backupsText(check.inBackupsUntil)}</p>
        </div>
      )}
      {!check && <Pending read={read} waiting={<SkeletonForm fields={2} />} />}
      <DialogFooter>
        <DialogCancel />
        {check?.refusal === null && (
          <Button variant="danger" isLoading={isSaving} onClick={() => void save({ params: { userId } })}>
            {FORGET}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
