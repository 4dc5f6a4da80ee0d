import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { UNDO_QUESTION, UNDO_UPLOAD } from './texts.ts';

interface UndoUploadProps {
  /** Says when the upload ended and what it changed. */
  text: string;
  /** Says in the confirmation dialog what undoing the upload does. */
  means: string;
  isUndoing: boolean;
  onUndo: () => void;
}

export function UndoUpload({ text, means, isUndoing, onUndo }: UndoUploadProps): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="text-s text-ink-soft">{text}</p>
      <ConfirmDialog
        trigger={
          <Button size="s" icon={<Undo2 aria-hidden />} isLoading={isUndoing}>
            {UNDO_UPLOAD}
          </Button>
        }
        title={UNDO_QUESTION}
        confirmLabel={UNDO_UPLOAD}
        isDanger
        onConfirm={onUndo}
      >
        {means}
      </ConfirmDialog>
    </div>
  );
}
