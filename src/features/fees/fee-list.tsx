import { PencilLine, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { feeText } from '../../domain/fees.ts';
import type { Fee } from './contract.ts';
import { deleteOfText, editOfText, feeFactsText, FEES, FEES_HINT, NO_FEES } from './texts.ts';

interface FeeListProps {
  /** The fees in the sequence in which they are charged. */
  fees: readonly Fee[];
  disabled: boolean;
  onEdit: (fee: Fee) => void;
  onDelete: (fee: Fee) => void;
  actions: ReactNode;
}

export function FeeList({ fees, disabled, onEdit, onDelete, actions }: FeeListProps): ReactNode {
  return (
    <Card title={FEES} subtitle={FEES_HINT} actions={actions} isFlush>
      {fees.length === 0 ? (
        <EmptyState picture="coins" text={NO_FEES} />
      ) : (
        <ul aria-label={FEES}>
          {fees.map((fee) => (
            <li key={fee.id} className="flex items-center gap-4 border-b border-line py-2 ps-4 pe-2 last:border-b-0 md:ps-5">
              <div className="min-w-0 grow">
                <p className="font-semibold">{fee.name}</p>
                <p className="text-s text-ink-soft">{feeFactsText(fee)}</p>
              </div>
              <span className="num">{feeText(fee)}</span>
              <IconButton label={editOfText(fee.name)} icon={<PencilLine aria-hidden />} disabled={disabled} onClick={() => onEdit(fee)} />
              <IconButton label={deleteOfText(fee.name)} icon={<Trash2 aria-hidden />} disabled={disabled} onClick={() => onDelete(fee)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
