import { Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { paymentTime } from '../../shared/dates.ts';
import { readLastUpload, undoUpload } from './contract.ts';
import { lastUploadText, UNDO_QUESTION, UNDO_UPLOAD, UNDOING, UPLOAD_UNDONE } from './texts.ts';

interface LastUploadProps {
  distributionId: number;
  onUndone?: () => void;
}

/** Shows the last upload within 24 hours, with a button that undoes it. Renders nothing if there is none. */
export function LastUpload({ distributionId: id, onUndone }: LastUploadProps): ReactNode {
  const { data: upload } = useRead(readLastUpload, { id });
  const [isAsking, setIsAsking] = useState(false);
  const { save, isSaving } = useSave(undoUpload, {
    onSaved: () => {
      toast({ title: UPLOAD_UNDONE });
      onUndone?.();
    },
  });
  if (!upload) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="text-s text-ink-soft">{lastUploadText(paymentTime(upload.finishedAt), upload)}</p>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        trigger={
          <Button size="s" icon={<Undo2 aria-hidden />} isLoading={isSaving}>
            {UNDO_UPLOAD}
          </Button>
        }
        title={UNDO_QUESTION}
        confirmLabel={UNDO_UPLOAD}
        isDanger
        onConfirm={() => void save({ params: { id, uploadId: upload.id } })}
      >
        {UNDOING}
      </ConfirmDialog>
    </div>
  );
}
