import type { ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { paymentTime } from '../../shared/dates.ts';
import { sortName } from '../../shared/person-name.ts';
import { readLastCustomerUpload, undoCustomerUpload, type KeptCustomer } from './contract.ts';
import { keptText, lastCustomerUploadText, moreKeptText, removedText, STAY_REASONS, UNDOING_CUSTOMERS, UPLOAD_UNDONE } from './texts.ts';
import { UndoUpload } from './undo-upload.tsx';

const MAX_SHOWN = 500;

interface LastCustomerUploadProps {
  /** The component calls this function after an upload was undone, with the customers who were not removed. */
  onUndone: (kept: readonly KeptCustomer[]) => void;
}

/** Shows the last upload of customers with a button to undo it. Renders nothing if there was no upload in the last 24 hours. */
export function LastCustomerUpload({ onUndone }: LastCustomerUploadProps): ReactNode {
  const { data: upload } = useRead(readLastCustomerUpload);
  const { save, isSaving } = useSave(undoCustomerUpload);
  const undo = async (uploadId: number): Promise<void> => {
    const saved = await save({ params: { uploadId } });
    if (!saved.ok) return;
    toast({ title: UPLOAD_UNDONE, description: removedText(saved.reply.removed, saved.reply.kept.length) });
    onUndone(saved.reply.kept);
  };
  if (!upload) return null;
  return (
    <UndoUpload
      text={lastCustomerUploadText(paymentTime(upload.finishedAt), upload.added)}
      means={UNDOING_CUSTOMERS}
      isUndoing={isSaving}
      onUndo={() => void undo(upload.id)}
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
