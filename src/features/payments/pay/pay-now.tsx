import { Banknote } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { useSingleClicks } from '../../../client/hooks/use-single-clicks.ts';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { PAY_NOW } from '../texts.ts';

/**
 * The Pay Now button and dialog of an order. The dialog opens even while weights are missing, but does not accept a payment then (spec §2,
 * §4).
 */
export function PayNow({ orderId, ...props }: PayNowProps): ReactNode {
  const [open, setOpen] = useState<boolean | null>(null);
  const close = useCallback(() => setOpen(false), []);
  useSingleClicks(open !== true);
  return (
    <>
      <Button icon={<Banknote aria-hidden />} onClick={() => setOpen(true)}>
        {PAY_NOW}
      </Button>
      {/* The dialog stays mounted after it was opened, to keep the Idempotency-Key of a payment whose response was lost. */}
      {open !== null && <PayDialog {...props} orderId={orderId} screen="order" open={open} onClose={close} />}
    </>
  );
}
