import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { useRead } from '../../client/use-calls.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { placedText, progressOf } from '../reports/order-progress.tsx';
import type { Distribution } from './contract.ts';
import { CLOSE_ORDERING, NOBODY_ORDERED } from './texts.ts';

interface CloseOrderingProps {
  distribution: Distribution;
  disabled: boolean;
  onClose: () => void;
}

/** Closing is one-way, so it asks first and says how far the orders are (contract §4, §10). */
export function CloseOrdering({ distribution: { id, name, published }, disabled, onClose }: CloseOrderingProps): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const report = useRead(readCustomerReport, { id }, { enabled: isAsking });
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setIsAsking}
      trigger={<Button disabled={disabled}>{CLOSE_ORDERING}</Button>}
      title={`Close ordering for ${name}?`}
      confirmLabel={CLOSE_ORDERING}
      isDanger
      onConfirm={onClose}
    >
      <p>
        Ordering cannot be opened again. Customers will no longer place or change an order; you and your agents can still edit the orders.
      </p>
      {!published && <p className="mt-3">{NOBODY_ORDERED}</p>}
      <p className="mt-3 font-semibold text-ink" aria-live="polite">
        {report.data ? `${placedText(progressOf(report.data))}.` : report.error ? '' : 'Counting the orders…'}
      </p>
    </ConfirmDialog>
  );
}
