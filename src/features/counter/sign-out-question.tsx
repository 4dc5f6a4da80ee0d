import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { dollars, sum, type Cents } from '../../domain/money.ts';
import type { QueuedWrite } from './device/writes.ts';
import { losesText, SIGN_OUT_OFFLINE, signOutAnyway, signOutQuestion, unsentMoneyText, unsentText } from './texts.ts';

interface SignOutQuestionProps {
  /** The user's writes that the server has not accepted. */
  unsent: readonly QueuedWrite[];
  onAnswer: (isYes: boolean) => void;
}

/** Asks for confirmation before a sign-out that would lose queued writes, or that closes the counter without a network (contract §14). */
export function SignOutQuestion({ unsent, onAnswer }: SignOutQuestionProps): ReactNode {
  const count = unsent.length;
  const paid = amountOf(unsent, 'payment');
  const takenBack = amountOf(unsent, 'reversal');
  return (
    <ConfirmDialog
      title={count > 0 ? signOutQuestion(count) : SIGN_OUT_OFFLINE.title}
      confirmLabel={count > 0 ? signOutAnyway(count) : SIGN_OUT_OFFLINE.confirm}
      isDanger
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
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

/** Returns the sum of the payments or of the reversals as text; null if there is none. */
function amountOf(unsent: readonly QueuedWrite[], kind: 'payment' | 'reversal'): string | null {
  const amounts = unsent.flatMap(({ write }): Cents[] => (write.kind === kind ? [write.amount] : []));
  return amounts.length === 0 ? null : dollars(sum(amounts));
}
