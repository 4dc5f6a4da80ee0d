import { useEffect, type ReactNode } from 'react';
import { actionKeyOf } from '../../client/api/use-calls.ts';
import { dismissErrorOf, toast } from '../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { dollars, sum, type Cents } from '../../domain/money.ts';
import { receivedAmount } from '../../domain/payment.ts';
import { signOut } from '../auth/contract.ts';
import type { QueuedWrite } from './device/writes.ts';
import { losesText, SIGN_OUT_OFFLINE, SIGNED_OUT_HERE, signOutAnyway, signOutQuestion, unsentMoneyText, unsentText } from './texts.ts';

interface SignOutQuestionProps {
  /** The user's writes that the server has not accepted. */
  unsent: readonly QueuedWrite[];
  /** Signs the user out. Returns true if the server could not be reached, and the user is signed out on this device alone. */
  onYes: (lostKeys: readonly string[]) => Promise<boolean>;
  onClose: () => void;
}

const ACTION_KEY = actionKeyOf(signOut);

/**
 * Asks for confirmation before a sign-out that would lose queued writes, or that closes the counter while the server cannot be reached
 * (contract §14).
 */
export function SignOutQuestion({ unsent, onYes, onClose }: SignOutQuestionProps): ReactNode {
  // The question replaces the error of a sign-out that could not reach the server.
  useEffect(() => dismissErrorOf(ACTION_KEY), []);
  const confirm = async (): Promise<void> => {
    const isHereOnly = await onYes(unsent.map(({ key }) => key));
    if (isHereOnly) toast({ ...SIGNED_OUT_HERE, duration: Infinity, actionKey: ACTION_KEY });
  };
  const count = unsent.length;
  const paid = amountOf(unsent, 'payment');
  const takenBack = amountOf(unsent, 'reversal');
  return (
    <ConfirmDialog
      title={count > 0 ? signOutQuestion(count) : SIGN_OUT_OFFLINE.title}
      confirmLabel={count > 0 ? signOutAnyway(count) : SIGN_OUT_OFFLINE.confirm}
      isDanger
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {count > 0 ? (
        <>
          <p>{unsentText(count)}</p>
          {(paid ?? takenBack) !== null && <p className="mt-2 font-semibold text-ink">{unsentMoneyText({ paid, takenBack })}</p>}
          <p className="mt-2">{losesText(count)}</p>
        </>
      ) : (
        SIGN_OUT_OFFLINE.description
      )}
    </ConfirmDialog>
  );
}

/** Returns the sum of the payments or of the reversals, with their card fees, as text; null if there is none. */
function amountOf(unsent: readonly QueuedWrite[], kind: 'payment' | 'reversal'): string | null {
  const amounts = unsent.flatMap(({ write }): Cents[] => (write.kind === kind ? [receivedAmount(write)] : []));
  return amounts.length === 0 ? null : dollars(sum(amounts));
}
