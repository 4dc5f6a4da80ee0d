import { zodResolver } from '@hookform/resolvers/zod';
import { Info } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { CallError, isRefusal } from '../../../client/api/fetch.ts';
import { dismissErrorOf, toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { actionKeyOf, useSave } from '../../../client/api/use-calls.ts';
import { useUnread } from '../../../client/hooks/use-unread.ts';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import type { Cents } from '../../../domain/money.ts';
import { recordPayment } from '../contract.ts';
import { PayFields, PayTotal } from './pay-fields.tsx';
import { ANSWER_LOST, NOT_WEIGHED_YET, owedText, PAID, PAY_NOW, PAYMENT_DISABLED, unconfirmedText } from '../texts.ts';
import { paymentIn, typedFor } from './typed-payment.ts';

export interface PayNowProps {
  orderId: number;
  /** The customer's name as shown to the user, for example 'Abramov, Rivka'. */
  customer: string;
  balance: Cents;
  /** Whether all units of the order are weighed. */
  isReady: boolean;
  /** The number of weights that the customer recorded and staff have not confirmed. */
  unconfirmed: number;
}

interface PayDialogProps extends PayNowProps {
  screen: 'customers' | 'order';
  open: boolean;
  onClose: () => void;
}

/** The Pay Now dialog (spec §2). Its form is reset whenever the balance changes (spec §4). */
export function PayDialog({ orderId, customer, balance, isReady, unconfirmed, screen, open, onClose }: PayDialogProps): ReactNode {
  const note = useId();
  const typed = useMemo(() => typedFor(balance), [balance]);
  const form = useForm({ resolver: zodResolver(useMemo(() => paymentIn(balance), [balance])), defaultValues: typed, values: typed });
  const { isUnread } = useUnread(balance);
  // Whether the last payment was refused because somebody has recorded another payment or a weight since the dialog was opened.
  const [isRefused, setIsRefused] = useState(false);
  const close = (): void => {
    form.reset(typed);
    setIsRefused(false);
    onClose();
  };
  // The balance when the response to a payment was lost; null if none was lost.
  const [lostAt, setLostAt] = useState<Cents | null>(null);
  const { save, isSaving } = useSave(recordPayment, {
    // If the response to a request was lost, the client retries the same payment with the same Idempotency-Key, but only while the balance
    // is the same. Once the balance has changed, the same input is a new payment.
    basis: balance,
    // The balance is read again after every attempt, even after a conflict or a lost response. The form is then reset to this balance.
    refresh: 'always',
    onSaved: () => {
      setLostAt(null);
      toast({ title: PAID[screen] });
      close();
    },
  });
  const refused = (): void =>
    void toast({ ...PAYMENT_DISABLED, variant: 'destructive', actionKey: actionKeyOf(recordPayment, { orderId }) });
  const pay = form.handleSubmit(async (body) => {
    const saved = await save({ params: { orderId }, body });
    if (!saved.ok && !isRefusal(saved.error)) setLostAt(balance);
    setIsRefused(!saved.ok && saved.error instanceof CallError && saved.error.status === 409);
  });
  // Closes the dialog if the payment was refused and nothing is left to pay. The error toast explains why the dialog closes.
  useEffect(() => {
    if (isRefused && balance <= 0) onClose();
  }, [isRefused, balance, onClose]);
  // The error says that the server was not reached. The balance shows that the payment is probably recorded, and the note below says so.
  const isProbablyPaid = lostAt !== null && lostAt !== balance;
  useEffect(() => {
    if (isProbablyPaid) dismissErrorOf(actionKeyOf(recordPayment, { orderId }));
  }, [isProbablyPaid, orderId]);
  const values = useWatch({ control: form.control });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={PAY_NOW}
      description={owedText({ customer, balance, isReady })}
      isDirty={form.formState.isDirty}
    >
      {/* After a refusal, neither the second of two quick presses nor an Enter key that is held down must pay what nobody has read. */}
      <Form {...ignoreUnread(isUnread)} onSubmit={isReady ? pay : refused}>
        <PayFields form={form} />
        <PayTotal typed={{ ...typed, ...values }} />
        <output>{isProbablyPaid && <Note>{ANSWER_LOST}</Note>}</output>
        {unconfirmed > 0 && <Note>{unconfirmedText(unconfirmed)}</Note>}
        {!isReady && <Note id={note}>{NOT_WEIGHED_YET}</Note>}
        <DialogFooter>
          <DialogCancel />
          <Button
            type="submit"
            variant="main"
            // The button is only `aria-disabled`. If it were `disabled`, a click or Enter would do nothing, without an explanation.
            aria-disabled={!isReady || undefined}
            aria-describedby={isReady ? undefined : note}
            className="aria-disabled:opacity-55"
            isLoading={isSaving}
          >
            {PAY_NOW}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

function Note({ children, ...rest }: ComponentProps<'span'>): ReactNode {
  return (
    <span {...rest} className="mt-4 flex gap-2.5 rounded-ctl bg-wait-soft p-3 text-s">
      <Info className="mt-0.5 size-4 shrink-0 text-wait" aria-hidden />
      <span>{children}</span>
    </span>
  );
}
