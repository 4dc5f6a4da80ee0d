import { memo, useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { showToastsIn } from '../../toasts/toast.ts';
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts';
import { useLeaveGuard } from '../../navigation/use-leave-guard.ts';
import { Button } from '../forms/button.tsx';
import { LEAVE, LEAVE_LOSES, LEAVE_QUESTION, STAY } from '../../texts.ts';

/**
 * Asks the user before navigation that would discard unsaved typing. Uses a native dialog, because the customer's pages load no dialog
 * library.
 */
export const LeaveDialog = memo(function LeaveDialog({ isDirty }: { isDirty: boolean }): ReactNode {
  const { isAsking, leave, stay } = useLeaveGuard(isDirty);
  const dialog = useRef<HTMLDialogElement>(null);
  const stayButton = useRef<HTMLButtonElement>(null);
  const title = useId();
  useCloseOnBack(isAsking, stay);
  useEffect(() => {
    if (isAsking) dialog.current?.showModal();
    else dialog.current?.close();
    // Focuses the Stay button although Leave comes first, so that an Enter that was meant for the page does not discard the typing.
    if (isAsking) stayButton.current?.focus();
  }, [isAsking]);
  // A native dialog makes everything outside of it inert, including toasts, so toasts are shown inside the dialog.
  useEffect(() => (isAsking ? showToastsIn(dialog.current) : undefined), [isAsking]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      onClose={stay}
      className="m-auto mb-4 w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-card p-5 text-ink shadow-float open:animate-rise md:mb-auto md:p-6"
    >
      <h2 id={title}>{LEAVE_QUESTION}</h2>
      <p className="mt-2 text-ink-soft">{LEAVE_LOSES}</p>
      <div className="mt-6 flex flex-col-reverse gap-2.5 md:flex-row md:justify-end">
        <Button onClick={leave}>{LEAVE}</Button>
        <Button ref={stayButton} variant="main" onClick={stay}>
          {STAY}
        </Button>
      </div>
    </dialog>
  );
});
