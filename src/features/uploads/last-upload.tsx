import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { paymentTime } from '../../shared/dates.ts';
import { sortName } from '../../shared/person-name.ts';
import { readLastCustomerUpload, readLastProductUpload, undoCustomerUpload, undoProductUpload, type KeptCustomer } from './contract.ts';
import {
  keptText,
  lastCustomerUploadText,
  lastProductUploadText,
  moreKeptText,
  removedText,
  STAY_REASONS,
  UNDO_QUESTION,
  UNDO_UPLOAD,
  UNDOING_CUSTOMERS,
  UNDOING_PRODUCTS,
  UPLOAD_UNDONE,
} from './texts.ts';

/** The maximum number of kept customers that are listed. */
const MAX_SHOWN = 500;

/**
 * Shows the distribution's last upload of products with a button to undo it. Renders nothing if there was no upload in the last 24 hours.
 */
export function LastProductUpload({ distributionId: id, onUndone }: { distributionId: number; onUndone: () => void }): ReactNode {
  const { data: upload } = useRead(readLastProductUpload, { id });
  const { save, isSaving } = useSave(undoProductUpload, {
    onSaved: () => {
      toast({ title: UPLOAD_UNDONE });
      onUndone();
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

/**
 * Shows the last upload of customers with a button to undo it. Renders nothing if there was no upload in the last 24 hours. `onUndone` is
 * called after an upload was undone, with the customers who were not removed.
 */
export function LastCustomerUpload({ onUndone }: { onUndone: (kept: readonly KeptCustomer[]) => void }): ReactNode {
  const { data: upload } = useRead(readLastCustomerUpload);
  const { save, isSaving } = useSave(undoCustomerUpload, {
    onSaved: ({ removed, kept }) => {
      toast({ title: UPLOAD_UNDONE, description: removedText(removed, kept.length) });
      onUndone(kept);
    },
  });
  if (!upload) return null;
  return (
    <UndoUpload
      text={lastCustomerUploadText(paymentTime(upload.finishedAt), upload.added)}
      means={UNDOING_CUSTOMERS}
      isUndoing={isSaving}
      onUndo={() => void save({ params: { uploadId: upload.id } })}
    />
  );
}

export function KeptCustomers({ kept }: { kept: readonly KeptCustomer[] }): ReactNode {
  return (
    <div role="status" className="mt-4 grid gap-1.5 border-t border-line pt-4 text-s">
      <p className="font-semibold">{keptText(kept.length)}</p>
      <ul className="grid gap-1">
        {kept.slice(0, MAX_SHOWN).map(({ userId, email, firstName, lastName, reason }) => (
          <li key={userId} className="flex flex-wrap gap-x-2 wrap-anywhere">
            <span className="font-semibold">{sortName(firstName, lastName) || email}</span>
            <span className="text-ink-soft">{STAY_REASONS[reason]}</span>
          </li>
        ))}
      </ul>
      {kept.length > MAX_SHOWN && <p className="text-ink-soft">{moreKeptText(kept.length - MAX_SHOWN)}</p>}
    </div>
  );
}

interface UndoUploadProps {
  /** Says when the upload ended and what it changed. */
  text: string;
  /** Says in the confirmation dialog what undoing the upload does. */
  means: string;
  isUndoing: boolean;
  onUndo: () => void;
}

function UndoUpload({ text, means, isUndoing, onUndo }: UndoUploadProps): ReactNode {
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
