import type { ReactNode } from 'react';
import { DISCARD } from '../../../client/texts.ts';
import { Notice } from '../../../client/ui/feedback/notice.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { distinctNames } from '../../../domain/product-names.ts';
import { ORDERING_IS_CLOSED } from '../../../domain/texts.ts';
import type { Product } from '../../products/contract.ts';
import type { Change } from './order-changes.ts';
import type { OrderEditing } from './use-order-editing.ts';
import { changeText, closedSubject, draftText, NOTICE_CLOSED, RESTORE, restoreText } from '../texts.ts';

interface ClosedNoticeProps {
  /** Why a customer cannot order now. */
  reason: string;
  name: string;
  changes: readonly Change[];
  products: readonly Product[];
}

/**
 * Tells a customer who can no longer order what to do: the typed changes stay on the screen, and can be mailed to the distributor (design
 * §2.1).
 */
export function ClosedNotice({ reason, name, changes, products }: ClosedNoticeProps): ReactNode {
  const names = distinctNames(products);
  const lines = changes.map(({ productId, from, to }) => changeText({ name: names.get(productId) ?? '', from, to }));
  const mail = `mailto:?subject=${encodeURIComponent(closedSubject(name))}&body=${encodeURIComponent(lines.join('\r\n'))}`;
  return (
    <Notice title={reason === ORDERING_IS_CLOSED ? NOTICE_CLOSED.title : reason}>
      {changes.length === 0 ? (
        <p className="text-s">{NOTICE_CLOSED.untouched}</p>
      ) : (
        <p className="text-s">
          {NOTICE_CLOSED.typed}{' '}
          <a href={mail} className="font-semibold underline underline-offset-3">
            {NOTICE_CLOSED.write}
          </a>
        </p>
      )}
    </Notice>
  );
}

export function DraftOffer({ count, onRestore, onDiscard }: { count: number; onRestore: () => void; onDiscard: () => void }): ReactNode {
  return (
    <Notice title={restoreText(count)}>
      <p className="text-s">{draftText(count)}</p>
      <div className="mt-3 flex gap-2.5">
        <Button onClick={onRestore}>{RESTORE}</Button>
        <Button variant="quiet" onClick={onDiscard}>
          {DISCARD}
        </Button>
      </div>
    </Notice>
  );
}

type Restorable = Pick<OrderEditing, 'offered' | 'restore' | 'discard'>;

/**
 * Offers to restore or discard the drafts of all parts of an order at once: the quantities, and the note and pick-up time. Renders nothing
 * if there are no drafts.
 */
export function DraftsOffer({ of: parts }: { of: readonly Restorable[] }): ReactNode {
  const count = parts.reduce((sum, { offered }) => sum + offered, 0);
  if (count === 0) return null;
  const restore = (): void => parts.forEach((part) => part.restore());
  const discard = (): void => parts.forEach((part) => part.discard());
  return <DraftOffer count={count} onRestore={restore} onDiscard={discard} />;
}
