import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { SIGN_OUT_ANYWAY, SIGN_OUT_OFFLINE, SIGN_OUT_QUESTION, unsentText } from './texts.ts';

interface SignOutQuestionProps {
  /** The number of writes that the server has not accepted. */
  unsent: number;
  onAnswer: (isYes: boolean) => void;
}

/** Asks for confirmation before a sign-out that would lose queued writes, or that closes the counter without a network (contract §14). */
export function SignOutQuestion({ unsent, onAnswer }: SignOutQuestionProps): ReactNode {
  const isLosing = unsent > 0;
  return (
    <ConfirmDialog
      title={isLosing ? SIGN_OUT_QUESTION : SIGN_OUT_OFFLINE.title}
      confirmLabel={isLosing ? SIGN_OUT_ANYWAY : SIGN_OUT_OFFLINE.confirm}
      isDanger
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      {isLosing ? unsentText(unsent) : SIGN_OUT_OFFLINE.description}
    </ConfirmDialog>
  );
}
