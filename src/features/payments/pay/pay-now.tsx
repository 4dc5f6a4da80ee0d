import { Banknote } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { PAY_NOW } from '../texts.ts';

/** The Pay Now dialog of an order always opens; paying is disabled until everything is weighed (spec §2, §4). */
export function PayNow({ orderId, ...props }: PayNowProps): ReactNode {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <>
      <Button icon={<Banknote aria-hidden />} onClick={() => setOpen(true)}>
        {PAY_NOW}
      </Button>
      {/* Stays mounted after it was opened, to keep the idempotency key of a payment without a response. */}
      {open !== null && <PayDialog {...props} orderId={orderId} place="order" open={open} onOpenChange={setOpen} />}
    </>
  );
}
