import { Info } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { feeRulesDiffer, feesInSequence, feesOnSubtotal, totalWith } from '../../domain/fees.ts';
import { cents } from '../../domain/money.ts';
import type { Fee } from './contract.ts';
import { PERCENT_FIRST, RULES_DIFFER, RULES_EXPLAINED, rulesExampleText } from './texts.ts';

// 400 typical subtotals with which the two rules for fees are compared. For some subtotals, rounding hides the difference between the
// rules.
const EXAMPLES = Array.from({ length: 400 }, (_, step) => cents(10_000 + step * 100));

/**
 * Whether the order page and the printed order would have the same total if all percent fees were charged before the flat fees. With two
 * percent fees the totals never agree, because in print the second fee is also charged on the first.
 */
function agreesPercentFirst(fees: readonly Fee[]): boolean {
  const sorted = fees.map((fee) => ({ ...fee, sort_order: fee.type === 'percent' ? 0 : 1 }));
  return !EXAMPLES.some((example) => feeRulesDiffer(sorted, example));
}

/** Warns, with an example, that the order page and the printed order compute different totals from these fees (contract §7). */
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
