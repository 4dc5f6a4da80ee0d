import { Banknote } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { mayPay } from '../../domain/payment.ts';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { NOTHING_DUE, PAY_NOW, PAYMENT_DISABLED } from './texts.ts';

/**
 * Opens the Pay Now dialog. In the customers table the button is disabled while nothing can be paid; on an order the dialog always
 * opens, and paying in it is disabled until everything is weighed (spec §2, §4, §5).
 */
export function PayNow({ isMain = true, ...props }: PayNowProps & { isMain?: boolean }): ReactNode {
  const [open, setOpen] = useState<boolean | null>(null);
  const { orderId, place } = props;
  const isRow = place === 'customers';
  const whyNot = isRow ? whyNotPay(props) : undefined;
  return (
    <>
      <Button
        size={isRow ? 's' : 'm'}
        variant={whyNot === undefined && isMain ? 'main' : 'plain'}
        icon={<Banknote aria-hidden />}
        aria-label={isRow ? `Record payment of ${props.customer}` : undefined}
        title={whyNot}
        disabled={whyNot !== undefined}
        onClick={() => setOpen(true)}
      >
        {isRow ? 'Pay' : PAY_NOW}
      </Button>
      {/* Stays once it was opened: with it the key under which an unanswered payment is sent again. */}
      {open !== null && orderId !== null && <PayDialog {...props} orderId={orderId} open={open} onOpenChange={setOpen} />}
    </>
  );
}

function whyNotPay({ isReady, balance }: PayNowProps): string | undefined {
  if (mayPay({ hasAllActuals: isReady, balance })) return undefined;
  return isReady ? NOTHING_DUE : PAYMENT_DISABLED.description;
}
