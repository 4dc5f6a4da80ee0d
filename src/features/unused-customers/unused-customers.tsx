import { useState, type ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { PeopleChoice } from '../../client/ui/forms/people-choice.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { listUnusedCustomers, removeUnusedCustomers, type UnusedCustomer } from './contract.ts';
import {
  allText,
  keptText,
  moreText,
  NO_UNUSED,
  NOBODY_FOUND,
  REMOVE_MEANS,
  removedText,
  removeLabel,
  removeQuestion,
  SEARCH,
  UNUSED_CUSTOMERS,
} from './texts.ts';

/** The content of the dialog in which the distributor removes customers who never signed in and never ordered. */
export function UnusedCustomers({ onDone }: { onDone: () => void }): ReactNode {
  const read = useRead(listUnusedCustomers);
  if (read.data)
    return read.data.length === 0 ? <p className="text-ink-soft">{NO_UNUSED}</p> : <Choice customers={read.data} onDone={onDone} />;
  return <Pending read={read} waiting={<SkeletonForm fields={3} />} />;
}

function Choice({ customers, onDone }: { customers: readonly UnusedCustomer[]; onDone: () => void }): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { save, isSaving } = useSave(removeUnusedCustomers);
  const userIds = customers.map(({ userId }) => userId).filter((userId) => chosen.has(userId));
  const remove = async (): Promise<void> => {
    const saved = await save({ body: { userIds } });
    if (!saved.ok) return;
    const { removed, kept } = saved.reply;
    toast({ title: removedText(removed), description: kept > 0 ? keptText(kept) : undefined });
    onDone();
  };
  return (
    <>
      <PeopleChoice
        people={customers}
        chosen={chosen}
        onChosen={setChosen}
        label={UNUSED_CUSTOMERS}
        searchLabel={SEARCH}
        allText={allText}
        nobodyText={() => NOBODY_FOUND}
        moreText={moreText}
        className="max-h-80"
      />
      <DialogFooter>
        <DialogCancel />
        <ConfirmDialog
          trigger={
            <Button variant="danger" disabled={userIds.length === 0} isLoading={isSaving}>
              {removeLabel(userIds.length)}
            </Button>
          }
          title={removeQuestion(userIds.length)}
          confirmLabel={removeLabel(userIds.length)}
          isDanger
          onConfirm={() => void remove()}
        >
          {REMOVE_MEANS}
        </ConfirmDialog>
      </DialogFooter>
    </>
  );
}
