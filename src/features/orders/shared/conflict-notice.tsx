import { useMemo, type ReactNode } from 'react';
import { useRead } from '../../../client/api/use-calls.ts';
import { Notice } from '../../../client/ui/feedback/notice.tsx';
import { SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { distinctNames } from '../../../domain/product-names.ts';
import { listSlots } from '../../slots/contract.ts';
import type { Product } from '../../products/contract.ts';
import type { Conflict } from './order-changes.ts';
import { CONFLICT, replacedText } from './texts.ts';
import type { OrderDetailsEditing } from './use-order-details.ts';
import type { OrderEditing } from './use-order-editing.ts';

interface ConflictNoticeProps {
  distributionId: number;
  products: readonly Product[];
  editing: OrderEditing;
  details: OrderDetailsEditing;
}

/**
 * Tells the user that another person or device has changed the order. For each line with a conflict it shows both quantities and a button
 * to take either. It also shows the note and the pick-up time that the next save replaces.
 */
export function ConflictNotice({ distributionId, products, editing, details }: ConflictNoticeProps): ReactNode {
  const conflicts = editing.conflicts ?? [];
  const { saved } = details;
  const names = useMemo(() => distinctNames(products), [products]);
  const sideOf = ({ productId, mine, theirs }: Conflict): 'mine' | 'theirs' | 'neither' => {
    const quantity = editing.quantities.get(productId) ?? 0;
    return quantity === mine ? 'mine' : quantity === theirs ? 'theirs' : 'neither';
  };
  const lead = details.conflicts.length > 0 ? CONFLICT.kept : CONFLICT.elsewhere;
  return (
    <Notice title={CONFLICT.title} isNew>
      <p className="text-s">{conflicts.length === 0 ? lead : CONFLICT.choose}</p>
      <ul className="mt-1">
        {conflicts.map((collision) => (
          <li key={collision.productId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 pt-2.5">
            <span className="font-semibold">{names.get(collision.productId)}</span>
            <SegmentedControl<'mine' | 'theirs' | 'neither'>
              label={names.get(collision.productId) ?? ''}
              options={[
                { value: 'mine', label: CONFLICT.mine, count: collision.mine },
                { value: 'theirs', label: CONFLICT.theirs, count: collision.theirs },
              ]}
              value={sideOf(collision)}
              onValue={(side) => editing.set(collision.productId, side === 'mine' ? collision.mine : collision.theirs)}
            />
          </li>
        ))}
      </ul>
      {details.conflicts.map((field) =>
        field === 'note' ? (
          <Replaced key={field} text={replacedText({ field, mine: details.note.trim(), theirs: saved.note, shown: saved.note })} />
        ) : (
          <ReplacedSlot key={field} distributionId={distributionId} mine={details.slotId} theirs={saved.slotId} />
        ),
      )}
    </Notice>
  );
}

const Replaced = ({ text }: { text: string }): ReactNode => <p className="mt-2.5 text-s whitespace-pre-wrap wrap-anywhere">{text}</p>;

interface ReplacedSlotProps {
  distributionId: number;
  mine: number | null;
  theirs: number | null;
}

function ReplacedSlot({ distributionId, mine, theirs }: ReplacedSlotProps): ReactNode {
  const { data: slots } = useRead(listSlots, { id: distributionId });
  const shown = slots?.find(({ id }) => id === theirs)?.label;
  return <Replaced text={replacedText({ field: 'slotId', mine: mine ?? '', theirs: theirs ?? '', shown })} />;
}
