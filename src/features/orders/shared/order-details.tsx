import { MessageSquarePlus } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { flushSync } from 'react-dom';
import { useRead } from '../../../client/api/use-calls.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TextArea } from '../../../client/ui/forms/field.tsx';
import { CHOOSE_SLOT } from '../../../domain/texts.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { listSlots } from '../../slots/contract.ts';
import { SLOTS_NOT_LOADED } from '../../slots/texts.ts';
import { MAX_NOTE_LENGTH, type Order } from '../contract.ts';
import { ADD_NOTE, NOTE, NOTE_MEANS, STAFF_NOTE_MEANS } from '../texts.ts';
import type { OrderDetailsEditing } from './use-order-details.ts';

// The code of this component is loaded only if the distribution has pick-up times, so that the code of the order page stays small.
const SlotChoice = lazyScreen(async () => (await import('../../slots/slot-choice.tsx')).SlotChoice);

/** As high as two pick-up times, so that the buttons below move as little as possible when the pick-up times appear. */
const PLACEHOLDER = <div className="h-36" />;

interface OrderDetailsProps {
  distribution: Distribution;
  order: Pick<Order, 'slotId'> | null;
  editing: OrderDetailsEditing;
  isStaff?: boolean;
  /** The number of attempts to save the order without a pick-up time. */
  slotMisses?: number;
  /** True while the order is being saved, because the save would not contain what the user enters then. */
  isReadOnly: boolean;
}

/** The fields for an order's note and, if the distribution has pick-up times, for its pick-up time (contract §16). */
export function OrderDetails({ distribution, order, editing, isStaff = false, slotMisses = 0, isReadOnly }: OrderDetailsProps): ReactNode {
  const slots = useRead(listSlots, { id: distribution.id }, { enabled: distribution.hasSlots });
  const [isNoteOpen, setIsNoteOpen] = useState(editing.note !== '');
  const noteField = useRef<HTMLTextAreaElement>(null);
  // If the user restores a draft with a note, the field for the note opens.
  if (editing.note !== '' && !isNoteOpen) setIsNoteOpen(true);
  // The button is replaced by the field as soon as it is pressed. The field gets the focus while this event is handled, because a phone
  // shows its keyboard only then.
  const addNote = (): void => {
    flushSync(() => setIsNoteOpen(true));
    noteField.current?.focus();
  };
  return (
    <div className="mt-4 grid gap-4 border-t border-line pt-4">
      {distribution.hasSlots && (
        <LazyPart fallback={PLACEHOLDER}>
          {slots.data ? (
            <div inert={isReadOnly}>
              <SlotChoice
                slots={slots.data}
                value={editing.slotId}
                saved={order?.slotId ?? null}
                timeZone={distribution.timeZone}
                isStaff={isStaff}
                error={slotMisses > 0 && editing.slotId === null ? CHOOSE_SLOT : undefined}
                misses={slotMisses}
                onValue={editing.setSlotId}
              />
            </div>
          ) : (
            <Pending read={slots} waiting={PLACEHOLDER} errorTitle={SLOTS_NOT_LOADED} isInline />
          )}
        </LazyPart>
      )}
      {isNoteOpen ? (
        <TextArea
          ref={noteField}
          label={NOTE}
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={editing.note}
          readOnly={isReadOnly}
          hint={isStaff ? STAFF_NOTE_MEANS : NOTE_MEANS}
          onChange={(event) => editing.setNote(event.target.value)}
        />
      ) : (
        <Button
          variant="quiet"
          icon={<MessageSquarePlus aria-hidden />}
          disabled={isReadOnly}
          onClick={addNote}
          className="-ms-3 justify-self-start"
        >
          {ADD_NOTE}
        </Button>
      )}
    </div>
  );
}
