import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import type { Cents } from '../../../domain/money.ts';
import type { LimitProblem } from '../../../domain/ordering/limits.ts';
import { itemCount, type Quantities } from '../../../domain/order.ts';
import type { DroppedWeights } from './change-effects.ts';
import {
  BEYOND_MEANS,
  cancellingText,
  cancelOrderText,
  DROP_WEIGHTS,
  droppedText,
  GO_BEYOND,
  refundText,
  SET_TO_ZERO,
  UPDATE_ORDER,
} from '../texts.ts';
import { KEEP_EDITING } from '../../../client/texts.ts';
import { REFUND_QUESTION } from './texts.ts';

interface ConfirmSaveDialogProps {
  customer: string;
  loaded: Quantities;
  isCancelling: boolean;
  dropped: readonly DroppedWeights[];
  /** The products whose limit the order exceeds (contract §12). */
  beyond: readonly LimitProblem[];
  /** The refund that would be due if the order were saved; 0 if none. */
  refund: Cents;
  onConfirm: () => void;
  onClose: () => void;
}

function titleOf({ isCancelling, customer, dropped, beyond }: ConfirmSaveDialogProps): string {
  if (isCancelling) return cancelOrderText(customer);
  if (dropped.length > 0) return DROP_WEIGHTS;
  return beyond.length > 0 ? GO_BEYOND : REFUND_QUESTION;
}

/**
 * Asks for confirmation before a save that deletes recorded weights, cancels the whole order or exceeds the limit of a product, or after which
 * a refund will be due that the page did not show before.
 */
export function ConfirmSaveDialog(props: ConfirmSaveDialogProps): ReactNode {
  const { loaded, isCancelling, dropped, beyond, refund, onConfirm, onClose } = props;
  return (
    <ConfirmDialog
      title={titleOf(props)}
      confirmLabel={isCancelling ? SET_TO_ZERO : UPDATE_ORDER}
      cancelLabel={KEEP_EDITING}
      isDanger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isCancelling ? <p>{cancellingText(itemCount(loaded))}</p> : dropped.map((line) => <p key={line.productId}>{droppedText(line)}</p>)}
      {beyond.length > 0 && (
        <div className="mt-2">
          {beyond.map(({ productId, sentence }) => (
            <p key={productId}>{sentence}</p>
          ))}
          <p>{BEYOND_MEANS}</p>
        </div>
      )}
      {refund > 0 && <p className="mt-2 font-semibold text-ink">{refundText(refund)}</p>}
    </ConfirmDialog>
  );
}
