// Paying from a row of the customers table: the button of each row, and above the table the dialogs.
import { Banknote } from 'lucide-react';
import { useCallback, useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { lastFollowedLink } from '../../../client/navigation/focus-memory.ts';
import { mayPay } from '../../../domain/payment.ts';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { NOT_PAYABLE, PAY, recordPaymentText } from '../texts.ts';

export interface PayButtonProps extends Omit<PayNowProps, 'orderId' | 'unconfirmed'> {
  /** The key of the row. */
  row: number;
  onPay: () => void;
}

/** Disabled while nothing can be paid (spec §5). The reason is visible text: a tooltip reaches neither keyboard nor touch. */
export function PayButton({ row, customer, balance, isReady, onPay }: PayButtonProps): ReactNode {
  const reasonId = useId();
  const canPay = mayPay({ hasAllActuals: isReady, balance });
  // Back from the weights of this row, Tab must reach the button also before the row is read again.
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
          {isReady ? NOT_PAYABLE.settled : NOT_PAYABLE.unweighed}
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
  /** The same one always: columns are made with it. */
  readonly pay: (orderId: number) => void;
  readonly close: () => void;
}

export function useRowPayments(): RowPayments {
  const [opened, setOpened] = useState<Opened>({ ids: [], open: null });
  const pay = useCallback(
    (orderId: number) => setOpened(({ ids }) => ({ ids: ids.includes(orderId) ? ids : [...ids, orderId], open: orderId })),
    [],
  );
  const close = useCallback(() => setOpened(({ ids }) => ({ ids, open: null })), []);
  return { opened, pay, close };
}

/**
 * The dialogs of the rows that were opened. They stand above the table, whose rows are drawn anew as cards where the window narrows,
 * and stay once they were opened: with them the key under which an unanswered payment is sent again.
 */
export function PayDialogs({ payments, orders }: { payments: RowPayments; orders: readonly PayNowProps[] }): ReactNode {
  const { opened, pay, close } = payments;
  return orders
    .filter(({ orderId }) => opened.ids.includes(orderId))
    .map((order) => (
      <PayDialog
        key={order.orderId}
        {...order}
        place="customers"
        open={opened.open === order.orderId}
        onOpenChange={(open) => (open ? pay(order.orderId) : close())}
      />
    ));
}
