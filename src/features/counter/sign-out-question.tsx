import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { SIGN_OUT_ANYWAY, SIGN_OUT_QUESTION, unsentText } from './texts.ts';

interface SignOutQuestionProps {
  /** The number of writes that the server has not accepted. */
  unsent: number;
  onAnswer: (isYes: boolean) => void;
}

/** Asks for confirmation before a sign-out that would lose queued writes (contract §14). */
export function SignOutQuestion({ unsent, onAnswer }: SignOutQuestionProps): ReactNode {
  return (
    <ConfirmDialog
      title={SIGN_OUT_QUESTION}
      confirmLabel={SIGN_OUT_ANYWAY}
      isDanger
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      {unsentText(unsent)}
    </ConfirmDialog>
  );
}
