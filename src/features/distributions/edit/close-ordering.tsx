import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { useRead } from '../../../client/api/use-calls.ts';
import { readCustomerReport } from '../../reports/contract.ts';
import { progressOf } from '../../reports/customers/order-progress.tsx';
import { placedText } from '../../reports/texts.ts';
import type { Distribution } from '../contract.ts';
import { CLOSE_ORDERING, closeOrderingText, CLOSING, COUNTING_ORDERS, NOBODY_ORDERED } from '../texts.ts';

interface CloseOrderingProps {
  distribution: Distribution;
  disabled: boolean;
  onClose: () => void;
}

/** Closing is final, so a dialog asks for confirmation first and shows the state of the orders (contract §4, §10). */
export function CloseOrdering({ distribution: { id, name, published }, disabled, onClose }: CloseOrderingProps): ReactNode {
  return (
    <ConfirmDialog
      trigger={<Button disabled={disabled}>{CLOSE_ORDERING}</Button>}
      title={closeOrderingText(name)}
      confirmLabel={CLOSE_ORDERING}
      isDanger
      onConfirm={onClose}
    >
      <p>{CLOSING}</p>
      {!published && <p className="mt-3">{NOBODY_ORDERED}</p>}
      <PlacedOrders distributionId={id} />
    </ConfirmDialog>
  );
}

function PlacedOrders({ distributionId }: { distributionId: number }): ReactNode {
  const report = useRead(readCustomerReport, { id: distributionId });
  return (
    <p className="mt-3 font-semibold text-ink" aria-live="polite">
      {report.data ? `${placedText(progressOf(report.data))}.` : report.error ? '' : COUNTING_ORDERS}
    </p>
  );
}
