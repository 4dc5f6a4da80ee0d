import { zodResolver } from '@hookform/resolvers/zod';
import clsx from 'clsx';
import { useMemo, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Card } from '../../../client/ui/layout/card.tsx';
import type { Role } from '../../../domain/accounts/roles.ts';
import { cents, dollars, negated, type Cents } from '../../../domain/money.ts';
import { PAYMENT_METHODS } from '../../../domain/payment.ts';
import { ONE_COLUMN, useMedia } from '../../../client/hooks/use-media.ts';
import { PayFields } from '../../payments/pay/pay-fields.tsx';
import { paymentIn, totalsIn, typedFor, type NewPaymentBody } from '../../payments/pay/typed-payment.ts';
import { unconfirmedText, withCardFeeText } from '../../payments/texts.ts';
import type { CounterPayment } from '../contract.ts';
import type { ChangeDue } from '../device/counter-view.ts';
import {
  CARD_NEEDS_NETWORK,
  HAND_OVER,
  MAY_NOT_PAY,
  MONEY,
  PAY_AFTER_WEIGHING,
  PAY_ONLY,
  payAndHandOverText,
  recordedElsewhereText,
  takenBackElsewhereText,
  WITHOUT_PAYMENT,
} from '../texts.ts';
import type { Account } from '../screen/order-sums.ts';
import { CashGivenField, cashLeftId, useCashGiven } from './cash-given.tsx';
import { ChangeDueNote } from './change-due.tsx';
import { useOthersPayments } from './others-payments.ts';
import { MainButton, QuietButton } from './pay-buttons.tsx';
import { Sums } from './sums.tsx';
import { useUnreadAmount } from '../keys/use-unread-amount.ts';
import { useUnreadRest } from '../keys/use-unread-rest.ts';

interface MoneyCardProps {
  /** The id of the form that contains the weight fields. Enter in the last field moves the focus to the main button. */
  formId: string;
  account: Account;
  payments: readonly CounterPayment[];
  canPay: boolean;
  mayTakePayments: boolean;
  role: Role;
  isReachable: boolean;
  /** Whether the order is picked up or cancelled. There is then nothing to hand over. */
  isServed: boolean;
  /** A hint about the payment, for example that no till is open. On narrow screens it is in the bar with the main button. */
  paymentHint: ReactNode;
  /** The change to give back after the last payment; null if there is none. */
  changeDue: ChangeDue | null;
  /** `change` is the cash to give back; null when the cash that was given is not known. */
  onPay: (payment: NewPaymentBody, change: Cents | null) => void;
  onHandOver: (payment: NewPaymentBody | null, change: Cents | null) => void;
  /** Called when a field of the payment refuses it. */
  onRefused: () => void;
  /** Shown in place of the hand-over button if there is nothing to hand over. */
  children: ReactNode;
}

/** Shows the total, the payments, and a button that pays and hands over in one step (contract §14). */
export function MoneyCard(props: MoneyCardProps): ReactNode {
  const { account, payments, canPay, mayTakePayments, role, isReachable, isServed } = props;
  const { paymentHint, changeDue, onPay, onHandOver, onRefused, formId, children } = props;
  const { balance, unweighed } = account;
  // Until the order can be paid, the hidden payment form gets a balance of 0. With the real balance, the form would be reset with each
  // typed weight, which would be slow.
  const payable = canPay ? balance : cents(0);
  const typed = useMemo(() => typedFor(payable), [payable]);
  const form = useForm({
    resolver: useMemo(() => zodResolver(paymentIn(payable)), [payable]),
    defaultValues: typed,
    values: typed,
    // The balance may change while staff type: the family or another station may record a weight, and another station a payment. What was
    // typed must then stay.
    resetOptions: { keepDirtyValues: true },
  });
  const values = { ...typed, ...useWatch({ control: form.control }) };
  const totals = totalsIn(values);
  const isImpossible = canPay && values.paymentMethod === 'Credit Card' && !isReachable;
  const cash = useCashGiven(totals?.total ?? null);
  const others = useOthersPayments(payments);
  const isNarrow = useMedia(ONE_COLUMN);
  const hint = canPay ? paymentHint : null;
  const hintInBar = isNarrow && !isServed ? hint : null;
  const hintInCard = hintInBar === null ? hint : null;
  const { card, isUnread, setUnread } = useUnreadAmount(payable, () => form.getFieldState('amount').isDirty);
  // The buttons are only `aria-disabled`. If they were `disabled`, a click would do nothing, without an explanation.
  const whileTooLittle =
    canPay && values.paymentMethod === 'Cash' && !cash.isEnough ? { 'aria-disabled': true, 'aria-describedby': cashLeftId } : {};
  const rest = useUnreadRest();
  const pay = (then: MoneyCardProps['onPay']) =>
    form.handleSubmit((payment) => {
      const isCash = payment.paymentMethod === 'Cash';
      if (!isImpossible && (!isCash || cash.check())) then(payment, isCash ? cash.left : null);
      else onRefused();
    }, onRefused);
  /** Records a payment without a hand-over. The next payment begins with an empty form. */
  const payOnly: MoneyCardProps['onPay'] = (payment, change) => {
    onPay(payment, change);
    setUnread();
    rest.setPartPaid();
    form.reset(undefined, { keepDirtyValues: false });
    cash.type('');
    others.forget();
  };
  return (
    <div ref={card} className={clsx('lg:sticky lg:top-[4.25rem]', !isServed && (hintInBar ? 'max-lg:pb-36' : 'max-lg:pb-20'))}>
      <Card title={MONEY} keepsFocus>
        <Sums account={account} payments={payments} role={role} />
        {changeDue && <ChangeDueNote due={changeDue} className="mt-3" />}
        {account.unconfirmed > 0 && <p className="mt-3 rounded-ctl bg-wait-soft p-3 text-s">{unconfirmedText(account.unconfirmed)}</p>}
        <OthersNote recorded={others.recorded} />
        {!canPay && balance > 0 && <p className="mt-4 text-s text-ink-soft">{mayTakePayments ? PAY_AFTER_WEIGHING : MAY_NOT_PAY}</p>}
        {canPay && (
          <form
            noValidate
            // A field that gets the focus is scrolled so far up that the bar at the bottom does not hide the error message below the field.
            className={clsx('mt-4', hintInBar ? '**:[input]:scroll-mb-36' : '**:[input]:scroll-mb-20')}
            onSubmit={(event) => void pay(isServed ? payOnly : onHandOver)(event)}
            onKeyDownCapture={(event) => {
              if (event.key === 'Enter' && (event.repeat || isUnread(event.timeStamp))) event.preventDefault();
              // If there is nothing to hand over, the form records a payment only.
              if (isServed && event.key === 'Enter') rest.ignoreIfUnread(event);
            }}
          >
            <div className="relative">
              <PayFields form={form} methods={isReachable || isImpossible ? PAYMENT_METHODS : WITHOUT_CARD} showsLetters />
              {/* Beside the label of the method, so that no button moves when the connection changes. */}
              {!isReachable && <p className="absolute end-0 top-0 text-xs text-ink-soft">{CARD_NEEDS_NETWORK}</p>}
            </div>
            {values.paymentMethod === 'Cash' && <CashGivenField cash={cash} />}
            {totals !== null && totals.fee > 0 && <p className="mt-2 text-s text-ink-soft">{withCardFeeText(totals.fee)}</p>}
            {/* This hidden button lets Enter in a field of the payment form submit the form. */}
            <button type="submit" hidden aria-label={PAY_ONLY} />
          </form>
        )}
        {/* The main button may have the focus when the last weight makes the payment possible. It must stay the same element, or it would
            lose the focus. */}
        <div className="mt-4 grid gap-2.5 lg:mt-6">
          {!isServed && (
            <MainButton
              formId={formId}
              account={account}
              isUnread={isUnread}
              meaning={payable}
              isQuiet={unweighed > 0}
              isDisabled={isImpossible}
              refusal={whileTooLittle}
              isNarrow={isNarrow}
              hint={hintInBar}
              onPress={() => (canPay ? void pay(onHandOver)() : onHandOver(null, null))}
            >
              {canPay ? payAndHandOverText(dollars(totals?.total ?? balance), values.paymentMethod) : HAND_OVER}
            </MainButton>
          )}
          {canPay && (
            <div {...rest.handlers} className="flex flex-wrap justify-between gap-2">
              <QuietButton
                isUnread={isUnread}
                meaning={payable}
                isDisabled={isImpossible}
                refusal={whileTooLittle}
                onPress={() => void pay(payOnly)()}
              >
                {PAY_ONLY}
              </QuietButton>
              {!isServed && (
                <QuietButton isUnread={isUnread} onPress={() => onHandOver(null, null)}>
                  {WITHOUT_PAYMENT}
                </QuietButton>
              )}
            </div>
          )}
          {children}
          {hintInCard && <div className="border-t border-line pt-2.5">{hintInCard}</div>}
        </div>
      </Card>
    </div>
  );
}

/** Says what other stations have recorded for the family while it is open at this one. */
function OthersNote({ recorded }: { recorded: Cents }): ReactNode {
  const text = recorded > 0 ? recordedElsewhereText(dollars(recorded)) : takenBackElsewhereText(dollars(negated(recorded)));
  return <div role="status">{recorded !== 0 && <p className="mt-3 rounded-ctl bg-wait-soft p-3 text-s">{text}</p>}</div>;
}

const WITHOUT_CARD = PAYMENT_METHODS.filter((method) => method !== 'Credit Card');
