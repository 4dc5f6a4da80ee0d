import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../client/ui/button.tsx';
import { Card } from '../../client/ui/card.tsx';
import { EmptyState } from '../../client/ui/empty-state.tsx';
import { feeText } from '../../domain/fees.ts';
import type { Fee } from './contract.ts';
import { NO_FEES } from './texts.ts';

export interface FeeListProps {
  /** In the order they are charged. */
  fees: readonly Fee[];
  disabled: boolean;
  onDelete: (fee: Fee) => void;
  /** Beside the heading. */
  actions: ReactNode;
}

export function FeeList({ fees, disabled, onDelete, actions }: FeeListProps): ReactNode {
  return (
    <Card title="Fees" subtitle="Charged on every order, in this order" actions={actions} isFlush>
      {fees.length === 0 ? (
        <EmptyState picture="coins" text={NO_FEES} />
      ) : (
        <ul aria-label="Fees">
          {fees.map((fee) => (
            <li key={fee.id} className="flex items-center gap-4 border-b border-line py-2 pr-2 pl-4 last:border-b-0 md:pl-5">
              <div className="min-w-0 grow">
                <p className="font-semibold">{fee.name}</p>
                <p className="text-s text-ink-soft">
                  {fee.type === 'flat' ? 'Flat amount' : 'Percent'} · Sort order {fee.sort_order}
                </p>
              </div>
              <span className="num">{feeText(fee)}</span>
              <IconButton
                label={`Delete the fee ${fee.name}`}
                icon={<Trash2 aria-hidden />}
                disabled={disabled}
                onClick={() => onDelete(fee)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
