import type { ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { paymentTime } from '../../shared/dates.ts';
import { readLastProductUpload, undoProductUpload } from './contract.ts';
import { lastProductUploadText, UNDOING_PRODUCTS, UPLOAD_UNDONE } from './texts.ts';
import { UndoUpload } from './undo-upload.tsx';

/**
 * Shows the distribution's last upload of products with a button to undo it. Renders nothing if there was no upload in the last 24 hours.
 */
export function LastProductUpload({ distributionId: id, onUndone }: { distributionId: number; onUndone?: () => void }): ReactNode {
  const { data: upload } = useRead(readLastProductUpload, { id });
  const { save, isSaving } = useSave(undoProductUpload, {
    onSaved: () => {
      toast({ title: UPLOAD_UNDONE });
      onUndone?.();
    },
  });
  if (!upload) return null;
  return (
    <UndoUpload
      text={lastProductUploadText(paymentTime(upload.finishedAt), upload)}
      means={UNDOING_PRODUCTS}
      isUndoing={isSaving}
      onUndo={() => void save({ params: { id, uploadId: upload.id } })}
    />
  );
}
