import { Undo2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Pending, type PendingProps } from '../../client/ui/feedback/pending.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { paymentTime } from '../../shared/dates.ts';
import { sortName } from '../../shared/person-name.ts';
import type { Repriced } from '../catalogue/contract.ts';
import { RepriceDialog, useRepriceDialog } from '../catalogue/reprice-dialog.tsx';
import { repricedText } from '../catalogue/texts.ts';
import {
  readLastCustomerUpload,
  readLastProductUpload,
  readUndoRepricing,
  undoCustomerUpload,
  undoProductUpload,
  type UndoneCustomers,
} from './contract.ts';
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
  UPLOAD_NOT_LOADED,
  UPLOAD_UNDONE,
} from './texts.ts';

/** The maximum number of kept customers that are listed. */
const MAX_SHOWN = 500;

/** The question before an upload of products is undone. It also states which orders are re-priced (contract §4). */
const UNDO_PRODUCTS = {
  title: UNDO_QUESTION,
  confirmLabel: UNDO_UPLOAD,
  isDanger: true,
  text: (repriced: Repriced) => (
    <>
      <p>{UNDOING_PRODUCTS}</p>
      {repriced.orders.count > 0 && <p className="mt-2">{repricedText(repriced)}</p>}
    </>
  ),
};

/**
 * Shows the distribution's last upload of products with a button to undo it. Renders nothing if there was no upload in the last 24 hours.
 */
export function LastProductUpload({ distributionId: id, onUndone }: { distributionId: number; onUndone: () => void }): ReactNode {
  const read = useRead(readLastProductUpload, { id });
  const { save, isSaving } = useSave(undoProductUpload, {
    refresh: 'always',
    onSaved: () => {
      toast({ title: UPLOAD_UNDONE });
      onUndone();
    },
  });
  const { save: readPreview, isSaving: isPreviewing } = useSave(readUndoRepricing, { refresh: false });
  const question = useRepriceDialog(id);
  const upload = read.data;
  if (!upload) return <NoUpload read={read} />;
  const undo = async (): Promise<void> => {
    const params = { id, uploadId: upload.id };
    const preview = await readPreview({ params });
    if (preview.ok && (await question.ask(UNDO_PRODUCTS, preview.reply))) await save({ params });
  };
  return (
    <UndoUpload text={lastProductUploadText(paymentTime(upload.finishedAt), upload)}>
      <UndoButton isLoading={isPreviewing || isSaving} onClick={() => void undo()} />
      <RepriceDialog question={question} />
    </UndoUpload>
  );
}

/**
 * Shows the last upload of customers with a button to undo it. Renders nothing if there was no upload in the last 24 hours. `onUndone` is
 * called after the undo with the reply, which lists the customers who were kept, because they have used their accounts or were changed.
 */
export function LastCustomerUpload({ onUndone }: { onUndone: (undone: UndoneCustomers) => void }): ReactNode {
  const read = useRead(readLastCustomerUpload);
  const { save, isSaving } = useSave(undoCustomerUpload, {
    refresh: 'always',
    onSaved: (undone) => {
      toast({ title: UPLOAD_UNDONE, description: removedText(undone.removed, undone.stayed) });
      onUndone(undone);
    },
  });
  const upload = read.data;
  if (!upload) return <NoUpload read={read} />;
  return (
    <UndoUpload text={lastCustomerUploadText(paymentTime(upload.finishedAt), upload.added)}>
      <ConfirmDialog
        trigger={<UndoButton isLoading={isSaving} />}
        title={UNDO_QUESTION}
        confirmLabel={UNDO_UPLOAD}
        isDanger
        onConfirm={() => void save({ params: { uploadId: upload.id } })}
      >
        {UNDOING_CUSTOMERS}
      </ConfirmDialog>
    </UndoUpload>
  );
}

/** Lists the first customers who were kept, and states how many more there are. The reply to the undo lists only some of them, too. */
export function KeptCustomers({ stayed, kept }: Pick<UndoneCustomers, 'stayed' | 'kept'>): ReactNode {
  const shown = kept.slice(0, MAX_SHOWN);
  return (
    <div role="status" className="mt-4 grid gap-1.5 border-t border-line pt-4 text-s">
      <p className="font-semibold">{keptText(stayed)}</p>
      <ul className="grid gap-1">
        {shown.map(({ userId, email, firstName, lastName, reason }) => (
          <li key={userId} className="flex flex-wrap gap-x-2 wrap-anywhere">
            <span className="font-semibold">{sortName(firstName, lastName) || email}</span>
            <span className="text-ink-soft">{STAY_REASONS[reason]}</span>
          </li>
        ))}
      </ul>
      {stayed > shown.length && <p className="text-ink-soft">{moreKeptText(stayed - shown.length)}</p>}
    </div>
  );
}

/** Renders nothing if there was no upload. If it is unknown whether there was one, shows the error of the read. */
const NoUpload = ({ read }: Pick<PendingProps, 'read'>): ReactNode => (
  <Pending read={read} waiting={null} errorTitle={UPLOAD_NOT_LOADED} isInline />
);

/** Shows when the upload ended and what it changed, beside the button that undoes the upload. */
function UndoUpload({ text, children }: { text: string; children: ReactNode }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="text-s text-ink-soft">{text}</p>
      {children}
    </div>
  );
}

const UndoButton = (props: Pick<ComponentProps<typeof Button>, 'isLoading' | 'onClick'>): ReactNode => (
  <Button {...props} size="s" icon={<Undo2 aria-hidden />}>
    {UNDO_UPLOAD}
  </Button>
);
