import { ArrowDown, ArrowDownUp, ArrowUp } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '../../../client/toasts/toast.ts';
import { Button, IconButton } from '../../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { usePreviousValues } from '../../../client/previous-values/use-previous-values.ts';
import { FieldNote } from '../../../client/ui/feedback/field-note.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { changeDistribution, type Distribution } from '../../distributions/contract.ts';
import type { Product } from '../contract.ts';
import { replacesText } from '../../../client/previous-values/texts.ts';
import {
  BY_ALPHABET,
  GROUP_ORDER,
  GROUP_ORDER_HINT,
  GROUP_ORDER_SAVED,
  moveDownText,
  moveUpText,
  placeText,
  SAVE_GROUP_ORDER,
} from '../texts.ts';

/** The button that opens the dialog in which the distributor sorts the product groups. Hidden if there are fewer than two groups. */
export function GroupOrderButton({ distribution, products }: { distribution: Distribution; products: readonly Product[] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const groups = [...new Set(products.map((product) => product.product_group))].filter((group) => group !== null);
  if (groups.length < 2) return null;
  return (
    <>
      <Button icon={<ArrowDownUp aria-hidden />} onClick={() => setIsOpen(true)}>
        {GROUP_ORDER}
      </Button>
      {isOpen && <GroupOrderDialog distribution={distribution} saved={groups} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface GroupOrderDialogProps {
  distribution: Distribution;
  /** The groups in the sequence in which they are shown now. */
  saved: readonly string[];
  onClose: () => void;
}

function GroupOrderDialog({ distribution: { id, groupOrder }, saved, onClose }: GroupOrderDialogProps): ReactNode {
  const [groups, setGroups] = useState(saved);
  const { opened, withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues({ groupOrder, saved: [...saved] });
  const isReplaced = savedMeanwhile('groupOrder') !== undefined;
  // After somebody else has changed the order, the dialog compares with that order.
  const compared = isReplaced ? saved : opened.saved;
  const isMoved = groups.length !== compared.length || groups.some((group, index) => group !== compared[index]);
  const [moved, setMoved] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const { save, isSaving } = useSave(changeDistribution, { refresh: 'always' });
  const move = (from: number, step: 1 | -1): void => {
    const to = from + step;
    const group = groups[from] ?? '';
    flushSync(() => {
      setGroups(groups.toSpliced(from, 1).toSpliced(to, 0, group));
      setMoved(placeText(group, to + 1, groups.length));
    });
    // The browser removes the focus from an element that is moved, so the pressed button gets the focus back. At an end of the list, the
    // pressed button is disabled, so the group's other button gets the focus.
    const [up, down] = list.current?.children[to]?.querySelectorAll('button') ?? [];
    const [same, other] = step === -1 ? [up, down] : [down, up];
    (same?.disabled ? other : same)?.focus();
  };
  const keep = async (order: readonly string[] | null): Promise<void> => {
    const body = withBefore({ groupOrder: order && [...order] }, { groupOrder: true });
    const answer = await save({ params: { id }, body });
    if (!answer.ok) return onRefused(answer.error);
    toast({ title: GROUP_ORDER_SAVED });
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={GROUP_ORDER} description={GROUP_ORDER_HINT} isDirty={isMoved}>
      <ol ref={list} className="divide-y divide-line">
        {groups.map((group, index) => (
          <li key={group} className="flex items-center gap-1 py-1">
            <span className="min-w-0 grow wrap-anywhere">{group}</span>
            <IconButton label={moveUpText(group)} icon={<ArrowUp aria-hidden />} disabled={index === 0} onClick={() => move(index, -1)} />
            <IconButton
              label={moveDownText(group)}
              icon={<ArrowDown aria-hidden />}
              disabled={index === groups.length - 1}
              onClick={() => move(index, 1)}
            />
          </li>
        ))}
      </ol>
      <output aria-live="polite" className="sr-only">
        {moved}
      </output>
      <FieldNote text={isReplaced ? replacesText(saved.join(', ')) : null} />
      <DialogFooter>
        <DialogCancel />
        {groupOrder !== null && (
          <Button disabled={isSaving} onClick={({ timeStamp }) => void (isUnread(timeStamp) || keep(null))}>
            {BY_ALPHABET}
          </Button>
        )}
        <Button
          variant="main"
          disabled={!isMoved}
          isLoading={isSaving}
          onClick={({ timeStamp }) => void (isUnread(timeStamp) || keep(groups))}
        >
          {SAVE_GROUP_ORDER}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
