import { Pencil, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRead, useSave } from '../../../client/api/use-calls.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { DialogButton } from '../../../client/ui/overlays/dialog-button.tsx';
import { zonedTime } from '../../../shared/zoned-time.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { deleteSlot, listSlots, type Slot } from '../contract.ts';
import {
  ADD_SLOT,
  CHANGE_SLOT,
  changeText,
  deleteText,
  NO_SLOTS,
  PICK_UP_TIMES,
  SLOT_DELETED,
  SLOT_IS_TAKEN,
  SLOTS_NOT_LOADED,
  takenText,
} from '../texts.ts';

const SlotForm = lazyScreen(async () => (await import('./slot-form.tsx')).SlotForm);

/** Lists the pick-up times of a distribution. Each order that a customer places must have one of these pick-up times (contract §16). */
export function SlotsCard({ distribution }: { distribution: Distribution }): ReactNode {
  const slots = useRead(listSlots, { id: distribution.id }, { enabled: distribution.hasSlots });
  return (
    <Card title={PICK_UP_TIMES}>
      {!distribution.hasSlots ? (
        <p className="text-s text-ink-soft">{NO_SLOTS}</p>
      ) : slots.data ? (
        <ul aria-label={PICK_UP_TIMES}>
          {slots.data.map((slot) => (
            <SlotRow key={slot.id} slot={slot} slots={slots.data} distribution={distribution} />
          ))}
        </ul>
      ) : (
        <Pending read={slots} waiting={null} errorTitle={SLOTS_NOT_LOADED} isInline />
      )}
      <div className="mt-4">
        <DialogButton
          trigger={<Button icon={<Plus aria-hidden />}>{ADD_SLOT}</Button>}
          title={ADD_SLOT}
          content={(dialog) => <SlotForm distribution={distribution} slot={null} others={slots.data ?? []} {...dialog} />}
        />
      </div>
    </Card>
  );
}

function SlotRow({ slot, slots, distribution }: { slot: Slot; slots: readonly Slot[]; distribution: Distribution }): ReactNode {
  const { id: slotId, label, startsAt, capacity, taken } = slot;
  const { save, isSaving } = useSave(deleteSlot, { onSaved: () => toast({ title: SLOT_DELETED }) });
  return (
    <li className="flex items-center gap-1 border-b border-line py-2 last:border-b-0">
      <div className="min-w-0 grow">
        <p className="font-semibold">{label}</p>
        <p className="text-s text-ink-soft">
          {zonedTime(startsAt, distribution.timeZone)} · {takenText(taken, capacity)}
        </p>
      </div>
      <DialogButton
        trigger={<Button variant="quiet" icon={<Pencil aria-hidden />} aria-label={changeText(label)} />}
        title={CHANGE_SLOT}
        content={(dialog) => (
          <SlotForm distribution={distribution} slot={slot} others={slots.filter(({ id }) => id !== slotId)} {...dialog} />
        )}
      />
      <Button
        variant="quiet"
        icon={<Trash2 aria-hidden />}
        aria-label={deleteText(label)}
        title={taken > 0 ? SLOT_IS_TAKEN : undefined}
        disabled={taken > 0}
        isLoading={isSaving}
        onClick={() => void save({ params: { id: distribution.id, slotId } })}
      />
    </li>
  );
}
