import type { ReactNode } from 'react';
import { dollars, sum } from '../../../domain/money.ts';
import type { OpenBalances, PaymentTotals } from '../../../domain/payment-totals.ts';
import { MONEY_IN, receivedText, MONEY_DUE, REFUNDS_DUE, TO_GIVE_BACK, dueText } from '../texts.ts';

export function MoneyFigures({ takings, dues }: { takings: readonly PaymentTotals[]; dues: OpenBalances }): ReactNode {
  const received = sum(takings.map((row) => row.received));
  const fees = sum(takings.map((row) => row.feeAmount));
  return (
    <dl className="grid gap-3 md:grid-cols-3 md:gap-4 print:grid-cols-3">
      <Figure label={MONEY_IN} figure={dollars(received)} text={receivedText(fees)} />
      <Figure label={MONEY_DUE} figure={dollars(dues.due)} text={dueText(dues)} />
      <Figure label={REFUNDS_DUE} figure={dollars(dues.refunds)} text={TO_GIVE_BACK} />
    </dl>
  );
}

function Figure({ label, figure, text }: { label: string; figure: string; text: string }): ReactNode {
  return (
    <div className="rounded-card border border-line bg-card px-[18px] py-3.5">
      <dt className="text-s font-semibold">{label}</dt>
      <dd>
        <span className="figure block text-[1.5rem] leading-tight">{figure}</span>
        <span className="text-s text-ink-soft">{text}</span>
      </dd>
    </div>
  );
}
