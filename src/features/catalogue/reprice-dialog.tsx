// Asks before a change that re-prices orders, naming the orders, those with payments, and the amounts (contract §4).
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { useSave } from '../../client/api/use-calls.ts';
import { dollars } from '../../domain/money.ts';
import { readRepricingPreview, type PlannedChangeInput, type Repriced } from './contract.ts';
import { namesText, ORDERS_OF, repricedText, TOGETHER, WITH_PAYMENTS } from './texts.ts';

export interface Question {
  title: string;
  confirmLabel: string;
  isDanger?: boolean;
  /** What will happen; by default the sentence about the affected orders. */
  text?: (repriced: Repriced) => ReactNode;
}

export interface RepriceQuestion {
  /** The preview of the change against the current orders; null when it cannot be loaded, which a toast has reported. */
  foresee: (change: PlannedChangeInput) => Promise<Repriced | null>;
  ask: (question: Question, repriced: Repriced) => Promise<boolean>;
  /** Whether to continue: true when no order is affected, otherwise the user's decision. */
  mayChange: (change: PlannedChangeInput, question: Question) => Promise<boolean>;
  isLooking: boolean;
  asked: (Question & { repriced: Repriced }) | null;
  answer: (isYes: boolean) => void;
}

// A preview changes nothing, so no read is refreshed.
const A_LOOK = { refresh: false } as const;

export function useRepriceQuestion(distributionId: number): RepriceQuestion {
  const { save: look, isSaving: isLooking } = useSave(readRepricingPreview, A_LOOK);
  const [asked, setAsked] = useState<RepriceQuestion['asked']>(null);
  const settle = useRef<(isYes: boolean) => void>(() => undefined);
  const foresee = useCallback(
    async (body: PlannedChangeInput) => {
      const looked = await look({ params: { id: distributionId }, body });
      return looked.ok ? looked.reply : null;
    },
    [look, distributionId],
  );
  const ask = useCallback(async (question: Question, repriced: Repriced) => {
    setAsked({ ...question, repriced });
    return await new Promise<boolean>((resolve) => (settle.current = resolve));
  }, []);
  return {
    foresee,
    ask,
    mayChange: async (change, question) => {
      const repriced = await foresee(change);
      return repriced !== null && (repriced.orders.count === 0 || (await ask(question, repriced)));
    },
    isLooking,
    asked,
    answer: (isYes) => {
      setAsked(null);
      settle.current(isYes);
    },
  };
}

/** Rendered once beside the code that asks. */
export function RepriceDialog({ question: { asked, answer } }: { question: RepriceQuestion }): ReactNode {
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || answer(false)}
      title={asked?.title ?? ''}
      confirmLabel={asked?.confirmLabel ?? ''}
      isDanger={asked?.isDanger === true}
      onConfirm={() => answer(true)}
    >
      {asked && (
        <>
          {asked.text?.(asked.repriced) ?? <p>{repricedText(asked.repriced)}</p>}
          <RepricedOrders repriced={asked.repriced} />
        </>
      )}
    </ConfirmDialog>
  );
}

/** The affected customers, and their total before and after. */
function RepricedOrders({ repriced: { orders, paid, before, after } }: { repriced: Repriced }): ReactNode {
  if (orders.count === 0) return null;
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t border-line pt-3 text-s">
      <dt>{ORDERS_OF}</dt>
      <dd className="text-ink">{namesText(orders)}</dd>
      {paid.count > 0 && (
        <>
          <dt>{WITH_PAYMENTS}</dt>
          <dd className="text-ink">{namesText(paid)}</dd>
        </>
      )}
      <dt>{TOGETHER}</dt>
      <dd className="num font-semibold text-ink">{`${dollars(before)} → ${dollars(after)}`}</dd>
    </dl>
  );
}
