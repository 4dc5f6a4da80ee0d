import { useMemo, type ReactNode } from 'react';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { Bar, Skeleton } from '../../../client/ui/feedback/skeleton.tsx';
import { useRead } from '../../../client/api/use-calls.ts';
import { SumLine } from '../../../client/ui/layout/sum-line.tsx';
import { withActuals } from '../../../domain/weights/actuals.ts';
import { feeLabel } from '../../../domain/fees.ts';
import { dollars, negated } from '../../../domain/money.ts';
import { balanceText } from '../../../domain/payment.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { statementOf, type StatementLine } from '../../../domain/order-statement.ts';
import { readOwnPrint, type PrintData } from '../../print/contract.ts';
import { BALANCE_DUE, CARD_FEE, PAYMENT_LINES, ROW_STATES } from '../../print/texts.ts';
import { Estimated } from '../shared/estimated.tsx';
import { countedPriceText, SUBTOTAL, TOTAL, WHAT_WAS_ORDERED, weighedText } from '../texts.ts';

/** Shows a customer's order in detail, also after ordering has closed: each line with its weights, the fees, and the balance. */
export function OrderStatement({ distributionId }: { distributionId: number }): ReactNode {
  const print = useRead(readOwnPrint, { distributionId });
  if (print.data) return <Stated print={print.data} />;
  const skeleton = (
    <Skeleton className="grid gap-4 py-3">
      <Bar className="h-4 w-3/5" />
      <Bar className="h-4 w-4/5" />
      <Bar className="h-4 w-1/2" />
    </Skeleton>
  );
  return <Pending read={print} waiting={skeleton} />;
}

type Line = StatementLine<ReturnType<typeof withActuals<PrintData['products'][number], PrintData['actuals'][number]>>[number]>;

function Stated({ print: { products, actuals, fees, payments } }: { print: PrintData }): ReactNode {
  const { lines, subtotal, charges, total, balance } = useMemo(
    () => statementOf(withActuals(products, actuals), fees, payments),
    [products, actuals, fees, payments],
  );
  const isEstimated = lines.some(({ unweighed }) => unweighed > 0);
  return (
    <>
      <ul aria-label={WHAT_WAS_ORDERED} className="grid grid-cols-[minmax(0,1fr)]">
        {lines.map((line) => (
          <StatedLine key={line.line.orderProductId} stated={line} />
        ))}
      </ul>
      <dl className="mt-3 grid gap-1.5 md:ms-auto md:max-w-96">
        <SumLine label={SUBTOTAL}>{shownAmount(dollars(subtotal))}</SumLine>
        {charges.map(({ fee, amount }) => (
          <SumLine key={fee.id} label={feeLabel(fee)}>
            {shownAmount(dollars(amount))}
          </SumLine>
        ))}
        <SumLine label={TOTAL} isTotal>
          {shownAmount(dollars(total), isEstimated)}
        </SumLine>
        {payments.map(({ id, paymentMethod, amount, feeAmount }) => (
          <div key={id} className="grid gap-1.5">
            <SumLine label={PAYMENT_LINES[paymentMethod]}>{shownAmount(dollars(negated(amount)))}</SumLine>
            {feeAmount !== 0 && <p className="text-xs text-ink-soft">{`${CARD_FEE}: ${dollars(feeAmount)}`}</p>}
          </div>
        ))}
        <SumLine label={BALANCE_DUE} isTotal>
          {shownAmount(balanceText(balance), isEstimated && balance !== 0)}
        </SumLine>
      </dl>
    </>
  );
}

function StatedLine({ stated: { line, recorded, unweighed, amount } }: { stated: Line }): ReactNode {
  const facts =
    line.quantity === 0
      ? ROW_STATES.unavailable
      : line.unit_qty_is_estimate
        ? weighedText({ ...line, recorded, unweighed })
        : countedPriceText(line.quantity, line.price);
  return (
    <li className="flex items-baseline justify-between gap-4 border-b border-line py-2.5">
      <div className="min-w-0">
        <p className="font-semibold">{withDetail(line.name, line.nameDetail)}</p>
        <p className="text-s text-ink-soft tabular-nums">{facts}</p>
      </div>
      <p className="num shrink-0">{shownAmount(dollars(amount), unweighed > 0)}</p>
    </li>
  );
}

const shownAmount = (amount: string, isEstimated = false): ReactNode => (
  <>
    {amount}
    <Estimated isShown={isEstimated} />
  </>
);
