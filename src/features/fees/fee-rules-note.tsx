import { Info } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { feeRulesDiffer, feesInSequence, feesOnSubtotal, totalWith } from '../../domain/fees.ts';
import { cents } from '../../domain/money.ts';
import type { Fee } from './contract.ts';
import { PERCENT_FIRST, RULES_DIFFER, RULES_EXPLAINED, rulesExampleText } from './texts.ts';

// Typical subtotals: where rounding hides the difference at one of them, another one shows it.
const EXAMPLES = Array.from({ length: 400 }, (_, step) => cents(10_000 + step * 100));

/** Two percent fees always make the totals differ, because the second is charged on the first. */
function agreesPercentFirst(fees: readonly Fee[]): boolean {
  const sorted = fees.map((fee) => ({ ...fee, sort_order: fee.type === 'percent' ? 0 : 1 }));
  return !EXAMPLES.some((example) => feeRulesDiffer(sorted, example));
}

/** Warns with an example when the order page and the printed order have different totals (contract §7). */
export function FeeRulesNote({ fees }: { fees: readonly Fee[] }): ReactNode {
  const subtotal = useMemo(() => EXAMPLES.find((example) => feeRulesDiffer(fees, example)), [fees]);
  if (subtotal === undefined) return null;
  const onOrderPage = totalWith(subtotal, feesOnSubtotal(fees, subtotal));
  const printed = totalWith(subtotal, feesInSequence(fees, subtotal));
  return (
    <div role="note" className="flex gap-3 rounded-card border border-line bg-wait-soft p-4 text-s">
      <Info className="mt-0.5 size-5 shrink-0 text-wait" aria-hidden />
      <div>
        <p className="font-semibold">{RULES_DIFFER}</p>
        <p className="mt-1">{RULES_EXPLAINED}</p>
        <p className="mt-1">{rulesExampleText({ subtotal, onOrderPage, printed })}</p>
        {agreesPercentFirst(fees) && <p className="mt-1 font-semibold">{PERCENT_FIRST}</p>}
      </div>
    </div>
  );
}
