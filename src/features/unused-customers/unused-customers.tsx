import { useState, type ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { optionsOf, SegmentedControl } from '../../client/ui/forms/choices.tsx';
import { PeopleChoice } from '../../client/ui/forms/people-choice.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { MAX_USERS } from '../users/contract.ts';
import { listUnusedCustomers, listUnusedJoined, removeUnusedCustomers, type UnusedCustomer } from './contract.ts';
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
  WHICH,
  WHICH_CUSTOMERS,
  WHICH_MEANS,
} from './texts.ts';

const WHICH_VALUES = ['invited', 'joined'] as const;
type Which = (typeof WHICH_VALUES)[number];

/** The content of the dialog in which the distributor removes unused customers. */
export function UnusedCustomers({ onDone }: { onDone: () => void }): ReactNode {
  const [which, setWhich] = useState<Which>('invited');
  return (
    <>
      <SegmentedControl label={WHICH} options={optionsOf(WHICH_VALUES, WHICH_CUSTOMERS)} value={which} onValue={setWhich} />
      <p className="my-3 text-s text-ink-soft">{WHICH_MEANS[which]}</p>
      <UnusedOf key={which} which={which} onDone={onDone} />
    </>
  );
}

function UnusedOf({ which, onDone }: { which: Which; onDone: () => void }): ReactNode {
  const read = useRead(which === 'joined' ? listUnusedJoined : listUnusedCustomers);
  if (read.data)
    return read.data.length === 0 ? <p className="text-ink-soft">{NO_UNUSED[which]}</p> : <Choice customers={read.data} onDone={onDone} />;
  return <Pending read={read} waiting={<SkeletonForm fields={3} />} />;
}

function Choice({ customers, onDone }: { customers: readonly UnusedCustomer[]; onDone: () => void }): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { save, isSaving } = useSave(removeUnusedCustomers);
  const userIds = customers.map(({ userId }) => userId).filter((userId) => chosen.has(userId));
  const remove = async (): Promise<void> => {
    let [removed, kept] = [0, 0];
    for (let from = 0; from < userIds.length; from += MAX_USERS) {
      const saved = await save({ body: { userIds: userIds.slice(from, from + MAX_USERS) } });
      if (!saved.ok) return;
      removed += saved.reply.removed;
      kept += saved.reply.kept;
    }
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
