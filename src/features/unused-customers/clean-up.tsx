import { Eraser } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { CheckRow } from '../../client/ui/forms/check-row.tsx';
import { SearchField } from '../../client/ui/forms/search-field.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { listedName } from '../../shared/person-name.ts';
import { listUnusedCustomers, removeUnusedCustomers, type UnusedCustomer } from './contract.ts';
import {
  allText,
  CLEAN_UP,
  CLEAN_UP_MEANS,
  CLEAN_UP_TITLE,
  keptText,
  moreText,
  NAME_OR_EMAIL,
  NO_UNUSED,
  NOBODY_FOUND,
  REMOVE_MEANS,
  removedText,
  removeLabel,
  removeQuestion,
  SEARCH,
  UNUSED_CUSTOMERS,
} from './texts.ts';

const MOST_SHOWN = 500;

export function CleanUp(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Eraser className="hidden md:block" aria-hidden />}>{CLEAN_UP}</Button>}
      title={CLEAN_UP_TITLE}
      description={CLEAN_UP_MEANS}
    >
      <UnusedCustomers onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function UnusedCustomers({ onDone }: { onDone: () => void }): ReactNode {
  const read = useRead(listUnusedCustomers);
  if (read.data)
    return read.data.length === 0 ? <p className="text-ink-soft">{NO_UNUSED}</p> : <Choice customers={read.data} onDone={onDone} />;
  return <Pending read={read} waiting={<SkeletonForm fields={3} />} />;
}

const nameOf = ({ firstName, lastName }: UnusedCustomer): string => listedName(firstName, lastName);

function Choice({ customers, onDone }: { customers: readonly UnusedCustomer[]; onDone: () => void }): ReactNode {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { save, isSaving } = useSave(removeUnusedCustomers);
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = customers.filter((customer) => `${nameOf(customer)} ${customer.email ?? ''}`.toLowerCase().includes(wanted));
  const userIds = customers.map(({ userId }) => userId).filter((userId) => chosen.has(userId));
  const toggle = (toggled: readonly UnusedCustomer[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const { userId } of toggled)
      if (isOn) next.add(userId);
      else next.delete(userId);
    setChosen(next);
  };
  const remove = async (): Promise<void> => {
    const saved = await save({ body: { userIds } });
    if (!saved.ok) return;
    const { removed, kept } = saved.reply;
    toast({ title: removedText(removed), description: kept > 0 ? keptText(kept) : undefined });
    onDone();
  };
  return (
    <>
      <div className="overflow-hidden rounded-ctl border border-line-strong">
        <div className="flex flex-wrap items-center gap-x-4 border-b border-line bg-sunk p-2">
          <SearchField label={SEARCH} placeholder={NAME_OR_EMAIL} value={search} onValue={setSearch} className="min-w-52 grow" />
          {found.length > 0 && (
            <CheckRow isOn={found.every(({ userId }) => chosen.has(userId))} onToggle={(isOn) => toggle(found, isOn)}>
              {allText(found.length)}
            </CheckRow>
          )}
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in the reach of the keyboard */}
        <ul aria-label={UNUSED_CUSTOMERS} tabIndex={0} className="max-h-80 overflow-y-auto px-2 py-1 focus-visible:-outline-offset-2">
          {found.slice(0, MOST_SHOWN).map((customer) => (
            <li key={customer.userId}>
              <CheckRow isOn={chosen.has(customer.userId)} onToggle={(isOn) => toggle([customer], isOn)}>
                {nameOf(customer) !== '' && <span className="me-2 font-semibold">{nameOf(customer)}</span>}
                <span className={nameOf(customer) === '' ? 'font-semibold' : 'text-ink-soft'}>{customer.email}</span>
              </CheckRow>
            </li>
          ))}
          {found.length === 0 && <li className="p-2 text-s text-ink-soft">{NOBODY_FOUND}</li>}
          {found.length > MOST_SHOWN && <li className="p-2 text-s text-ink-soft">{moreText(found.length - MOST_SHOWN)}</li>}
        </ul>
      </div>
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
