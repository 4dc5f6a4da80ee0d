// The Pay buttons in the rows of the customers table, and the dialogs that they open.
import { Banknote } from 'lucide-react';
import { useCallback, useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { useSingleClicks } from '../../../client/hooks/use-single-clicks.ts';
import { lastFollowedLink } from '../../../client/navigation/focus-memory.ts';
import { mayPay } from '../../../domain/payment.ts';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { NOT_PAYABLE, PAY, recordPaymentText } from '../texts.ts';

interface PayButtonProps extends Omit<PayNowProps, 'orderId' | 'unconfirmed'> {
  /** The key of the row in the table. */
  row: number;
  onPay: () => void;
}

/**
 * The Pay button of a row. It is disabled while nothing can be paid (spec §5). The reason is shown as text, because keyboard and touch
 * users cannot open a tooltip.
 */
export function PayButton({ row, customer, balance, isReady, onPay }: PayButtonProps): ReactNode {
  const reasonId = useId();
  const canPay = mayPay({ hasAllActuals: isReady, balance });
  // Whether the user comes back from the page with this row's weights. If so, Tab must reach the button even before the row is loaded again
  // and can be paid.
  const [isFollowed] = useState(() => lastFollowedLink()?.row === row);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 md:min-w-22 md:flex-col md:items-end">
      <Button
        size="s"
        variant={canPay ? 'main' : 'plain'}
        icon={<Banknote aria-hidden />}
        aria-label={recordPaymentText(customer)}
        aria-describedby={canPay ? undefined : reasonId}
        disabled={!canPay && !isFollowed}
        aria-disabled={!canPay}
        onClick={() => canPay && onPay()}
        className="not-disabled:aria-disabled:opacity-55"
      >
        {PAY}
      </Button>
      {!canPay && (
        <span id={reasonId} className="text-xs whitespace-nowrap text-ink-soft">
          {!isReady ? NOT_PAYABLE.unweighed : balance < 0 ? NOT_PAYABLE.refund : NOT_PAYABLE.settled}
        </span>
      )}
    </span>
  );
}

interface Opened {
  readonly ids: readonly number[];
  readonly open: number | null;
}

export interface RowPayments {
  readonly opened: Opened;
  /**
   * Opens the payment dialog of an order. The function is the same in every render, because the memoized columns of the table contain it.
   */
  readonly pay: (orderId: number) => void;
  readonly close: () => void;
}

export function useRowPayments(): RowPayments {
  const [opened, setOpened] = useState<Opened>({ ids: [], open: null });
  useSingleClicks(opened.open === null);
  const pay = useCallback(
    (orderId: number) => setOpened(({ ids }) => ({ ids: ids.includes(orderId) ? ids : [...ids, orderId], open: orderId })),
    [],
  );
  const close = useCallback(() => setOpened(({ ids }) => ({ ids, open: null })), []);
  return { opened, pay, close };
}

/**
 * Renders the payment dialogs that were opened from the table. They are outside of the rows, because the rows are replaced by cards when
 * the window narrows. They stay mounted when closed, to keep the Idempotency-Key of a payment whose response was lost.
 */
export function PayDialogs({ payments, orders }: { payments: RowPayments; orders: readonly PayNowProps[] }): ReactNode {
  const { opened, close } = payments;
  return orders
    .filter(({ orderId }) => opened.ids.includes(orderId))
    .map((order) => <PayDialog key={order.orderId} {...order} screen="customers" open={opened.open === order.orderId} onClose={close} />);
}
