import type { ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { TotalAnnouncer } from '../../../client/ui/feedback/total-announcer.tsx';
import { SumLine } from '../../../client/ui/layout/sum-line.tsx';
import type { Role } from '../../../domain/accounts/roles.ts';
import { feeLabel } from '../../../domain/fees.ts';
import { dollars, negated } from '../../../domain/money.ts';
import { balanceText } from '../../../domain/payment.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';
import type { CounterPayment } from '../contract.ts';
import type { Account } from '../screen/order-sums.ts';
import { BALANCE, ESTIMATED, paidText, REFUND_STEPS, SETTLED, SUBTOTAL, takenBackText, TOTAL } from '../texts.ts';

interface SumsProps {
  account: Account;
  payments: readonly CounterPayment[];
  role: Role;
}

/** Shows how the total is computed, the payments, and the balance. A negative balance is followed by how to give the money back. */
export function Sums({ account, payments, role }: SumsProps): ReactNode {
  const { subtotal, charges, total, balance, unweighed } = account;
  return (
    <>
      <dl className="grid gap-1.5">
        <SumLine label={SUBTOTAL}>{dollars(subtotal)}</SumLine>
        {charges.map(({ fee, amount }) => (
          <SumLine key={fee.id} label={feeLabel(fee)}>
            {dollars(amount)}
          </SumLine>
        ))}
        <SumLine label={TOTAL} isTotal className="mt-1 border-t border-line pt-2">
          {dollars(total)}
        </SumLine>
        {/* The index is a valid React key: payments are only appended, and unsent payments have no id yet. */}
        {payments.map(({ amount, paymentMethod, reversesId }, index) => (
          <SumLine key={index} label={(reversesId === null ? paidText : takenBackText)(METHOD_LABELS[paymentMethod])}>
            {dollars(negated(amount))}
          </SumLine>
        ))}
      </dl>
      <div className="mt-3 flex items-baseline justify-between gap-4 rounded-ctl bg-sunk px-4 py-3">
        <span className="font-semibold">{BALANCE}</span>
        {balance === 0 && unweighed === 0 ? (
          <Badge tone="good">{SETTLED}</Badge>
        ) : (
          <span className="min-w-0 text-end">
            <span className="figure block text-[1.75rem] leading-tight">{balanceText(balance)}</span>
            {unweighed > 0 && <span className="block text-xs text-ink-soft">{ESTIMATED}</span>}
          </span>
        )}
      </div>
      {balance < 0 && unweighed === 0 && (
        <p className="mt-2 text-s text-ink-soft">{role === 'distributor' ? REFUND_STEPS.distributor : REFUND_STEPS.agent}</p>
      )}
      <TotalAnnouncer text={balanceText(balance)} />
    </>
  );
}
