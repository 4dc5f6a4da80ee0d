import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { isolated } from '../../../shared/isolated.ts';
import { CANCELLED, FAMILIES, moreFamiliesText, NO_FAMILY, orderText, PICKED_UP } from '../texts.ts';
import { isCancelled, type Family } from './find-families.ts';

export const listId = 'counter-families';
export const optionId = (orderId: number): string => `counter-family-${orderId}`;

interface FamilyListProps {
  families: readonly Family[];
  /** How many more families match than the list shows. */
  more: number;
  /** The order that is opened when the user presses Enter. */
  chosen: number | undefined;
  onOpen: (orderId: number) => void;
}

export function FamilyList({ families, more, chosen, onOpen }: FamilyListProps): ReactNode {
  return (
    <Card isFlush>
      <div id={listId} role="listbox" aria-label={FAMILIES}>
        {families.map(({ order, name }) => (
          <button
            key={order.id}
            id={optionId(order.id)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={order.id === chosen}
            onClick={() => onOpen(order.id)}
            className={clsx(
              'relative flex min-h-14 w-full items-center justify-between gap-x-4 overflow-clip border-b border-line px-4 py-2 text-start last:border-b-0 hover:bg-sunk md:px-5',
              order.id === chosen && 'bg-accent-soft',
            )}
          >
            <span className="min-w-0 wrap-anywhere">
              <span className="block font-semibold max-md:pe-26">{name}</span>
              <span className="block text-s text-ink-soft">
                {[orderText(order.id), order.email !== name && order.email, order.phone && isolated(order.phone), order.slot]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            {(order.pickedUpAt !== null || isCancelled(order)) && (
              // On a phone, this is in a space that is always free, so that the rows below do not move.
              <span className="shrink-0 max-md:absolute max-md:end-4 max-md:top-2">
                {isCancelled(order) ? <Badge tone="wait">{CANCELLED}</Badge> : <Badge tone="good">{PICKED_UP}</Badge>}
              </span>
            )}
          </button>
        ))}
      </div>
      <output className="block">
        {families.length === 0 && <span className="block p-5 text-ink-soft">{NO_FAMILY}</span>}
        {more > 0 && <span className="block border-t border-line px-4 py-3 text-s text-ink-soft md:px-5">{moreFamiliesText(more)}</span>}
      </output>
    </Card>
  );
}
