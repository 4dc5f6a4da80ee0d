import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import type { Cents } from '../../../domain/money.ts';
import { itemCount, type Quantities } from '../../../domain/order.ts';
import type { DroppedWeights } from './dropped-weights.ts';
import { cancellingText, cancelOrderText, DROP_WEIGHTS, droppedText, refundText, SET_TO_ZERO, UPDATE_ORDER } from '../texts.ts';
import { KEEP_EDITING } from '../../../client/texts.ts';

export interface ConfirmSaveDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  customer: string;
  /** The saved quantities. */
  loaded: Quantities;
  isCancelling: boolean;
  dropped: readonly DroppedWeights[];
  /** The refund that would be due; 0 when there is none. */
  refund: Cents;
  onConfirm: () => void;
}

/** Asks before recorded weights or the whole order are dropped. */
export function ConfirmSaveDialog(props: ConfirmSaveDialogProps): ReactNode {
  const { open, onOpenChange, customer, loaded, isCancelling, dropped, refund, onConfirm } = props;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isCancelling ? cancelOrderText(customer) : DROP_WEIGHTS}
      confirmLabel={isCancelling ? SET_TO_ZERO : UPDATE_ORDER}
      cancelLabel={KEEP_EDITING}
      isDanger
      onConfirm={onConfirm}
    >
      {isCancelling ? <p>{cancellingText(itemCount(loaded))}</p> : dropped.map((line) => <p key={line.productId}>{droppedText(line)}</p>)}
      {refund > 0 && <p className="mt-2 font-semibold text-ink">{refundText(refund)}</p>}
    </ConfirmDialog>
  );
}
