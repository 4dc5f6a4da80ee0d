import type { ComponentProps, ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { SelectField } from '../../../client/ui/forms/select-field.tsx';
import { dollars, parseDollars, parsePercent, plainDollars, plainPercent } from '../../../domain/money.ts';
import { PAYMENT_METHODS } from '../../../domain/payment.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import { decimalComma } from './decimal-comma.ts';
import { feePercentageOf, totalsIn } from './typed-payment.ts';
import type { NewPaymentBody, TypedPayment } from './typed-payment.ts';
import {
  METHOD_LABELS,
  PAYMENT_METHOD,
  AMOUNT,
  IN_DOLLARS,
  FEE_PERCENTAGE,
  IN_PERCENT_ON_TOP,
  DESCRIPTION,
  METHOD_HINTS,
  TOTAL,
  withCardFeeText,
} from '../texts.ts';

/** Removes the focus when the mouse wheel turns over a number field, because the wheel would change the amount. */
const letGo = (event: { currentTarget: HTMLInputElement }): void => event.currentTarget.blur();

function plainAmount(text: string): string | null {
  const amount = parseDollars(text);
  return amount === null ? null : plainDollars(amount);
}
function plainRate(text: string): string | null {
  const rate = parsePercent(text);
  return rate === null ? null : plainPercent(rate);
}

/** Returns the attributes of a number field. `read` parses a pasted number. */
const numberField = (step: string, min: string, read: (text: string) => string | null): ComponentProps<'input'> => ({
  type: 'number',
  step,
  min,
  onWheel: letGo,
  ...decimalComma(read),
});

interface PayFieldsProps {
  form: UseFormReturn<TypedPayment, unknown, NewPaymentBody>;
  methods?: readonly PaymentMethod[];
  /**
   * Whether the fields for numbers show every typed character. A number field drops letters without a message, so that Enter after the next
   * family's name, typed there by mistake, would record the payment.
   */
  showsLetters?: boolean;
}

/** The fields for the payment method and the amount, and further fields that depend on the method (spec §2). */
export function PayFields({ form, methods = PAYMENT_METHODS, showsLetters = false }: PayFieldsProps): ReactNode {
  const { register, setValue, control, formState } = form;
  const { errors } = formState;
  const method = useWatch({ control, name: 'paymentMethod' });
  const choose = ({ target }: { target: { value: PaymentMethod } }): void =>
    setValue('feePercentage', feePercentageOf(target.value), { shouldDirty: true });
  return (
    <div className="grid gap-5">
      <SelectField
        label={PAYMENT_METHOD}
        required
        options={methods.map((name) => ({ value: name, label: METHOD_LABELS[name] }))}
        {...register('paymentMethod', { onChange: choose })}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField
          label={AMOUNT}
          inputMode="decimal"
          autoComplete="off"
          {...(!showsLetters && numberField('0.01', '0.01', plainAmount))}
          required
          hint={IN_DOLLARS}
          {...register('amount')}
          error={errors.amount?.message}
        />
        {method === 'Credit Card' && (
          <TextField
            label={FEE_PERCENTAGE}
            inputMode="decimal"
            autoComplete="off"
            {...(!showsLetters && numberField('0.5', '0', plainRate))}
            hint={IN_PERCENT_ON_TOP}
            {...register('feePercentage')}
            error={errors.feePercentage?.message}
          />
        )}
      </div>
      {method !== 'Cash' && (
        <TextField
          label={DESCRIPTION}
          autoComplete="off"
          maxLength={500}
          required
          hint={METHOD_HINTS[method]}
          {...register('description')}
          error={errors.description?.message}
        />
      )}
    </div>
  );
}

export function PayTotal({ typed }: { typed: TypedPayment }): ReactNode {
  const totals = totalsIn(typed);
  return (
    <div className="mt-5 flex items-baseline justify-between gap-4 rounded-ctl bg-sunk px-4 py-3">
      <span className="font-semibold">
        {TOTAL}
        {totals !== null && totals.fee > 0 && <span className="block text-s font-normal text-ink-soft">{withCardFeeText(totals.fee)}</span>}
      </span>
      <output aria-label={TOTAL} className="figure num text-l">
        {totals === null ? '—' : dollars(totals.total)}
      </output>
    </div>
  );
}
