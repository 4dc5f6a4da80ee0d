import { Banknote } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { PayDialog } from './pay-dialog.tsx';
import type { PayNowProps } from './pay-dialog.tsx';
import { PAY_NOW } from '../texts.ts';

/** On an order the Pay Now dialog always opens, and paying in it is disabled until everything is weighed (spec §2, §4). */
export function PayNow({ orderId, ...props }: PayNowProps): ReactNode {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <>
      <Button icon={<Banknote aria-hidden />} onClick={() => setOpen(true)}>
        {PAY_NOW}
      </Button>
      {/* Stays once it was opened: with it the key under which an unanswered payment is sent again. */}
      {open !== null && <PayDialog {...props} orderId={orderId} place="order" open={open} onOpenChange={setOpen} />}
    </>
  );
}
