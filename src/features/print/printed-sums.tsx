import clsx from 'clsx';
import { Fragment, type ReactNode } from 'react';
import { feeLabel } from '../../domain/fees.ts';
import { dollars } from '../../domain/money.ts';
import { balanceText } from '../../domain/payment.ts';
import type { PrintTotals } from '../../domain/print.ts';
import { BALANCE_DUE, CARD_FEE, PAYMENT_LINES, SUBTOTAL, TOTAL, unweighedText } from './texts.ts';

/** The rows below the products (spec §2): the subtotal, fees, total, payments and balance. */
export function PrintedSums({ totals }: { totals: PrintTotals }): ReactNode {
  const { subtotal, charges, total, payments, balanceDue, unweighed, estimated } = totals;
  return (
    <>
      <Sum label={SUBTOTAL} className="paper-subtotal">
        {dollars(subtotal)}
      </Sum>
      {charges.map(({ fee, amount }) => (
        <Sum key={fee.id} label={feeLabel(fee)}>
          {dollars(amount)}
        </Sum>
      ))}
      <Sum label={TOTAL} className="paper-total">
        {dollars(total)}
      </Sum>
      {payments.map(({ paymentMethod, amount, feeAmount }, index) => (
        <Fragment key={index}>
          <Sum label={PAYMENT_LINES[paymentMethod]}>{dollars(amount)}</Sum>
          {feeAmount !== 0 && (
            <Sum label={CARD_FEE} className="paper-aside">
              {dollars(feeAmount)}
            </Sum>
          )}
        </Fragment>
      ))}
      {balanceDue !== null && (
        <Sum label={BALANCE_DUE} className="paper-total">
          {balanceText(balanceDue)}
        </Sum>
      )}
      {unweighed > 0 && (
        <tr className="paper-note">
          <td colSpan={5}>{unweighedText(unweighed, balanceDue === null ? null : estimated)}</td>
        </tr>
      )}
    </>
  );
}

function Sum({ label, className, children }: { label: string; className?: string; children: string }): ReactNode {
  return (
    <tr className={clsx('paper-sum', className)}>
      <th scope="row" colSpan={4}>
        {label}
      </th>
      <td className="num text-end">{children}</td>
    </tr>
  );
}
