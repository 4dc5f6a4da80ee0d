import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { useRead } from '../../client/use-calls.ts';
import { readCustomerReport } from '../reports/contract.ts';
import { progressOf } from '../reports/order-progress.tsx';
import type { Progress } from '../reports/order-progress.tsx';

interface Asked {
  title: string;
  confirmLabel: string;
  isLost: boolean;
}

export interface RepriceQuestion {
  /** Whether to go on: at once where no order is touched, else what the person says. `isLost`: it cannot be undone. */
  ask: (title: string, confirmLabel: string, isLost?: boolean) => Promise<boolean>;
  asked: Asked | null;
  answer: (isYes: boolean) => void;
  /** null while the orders are not counted. */
  progress: Progress | null;
}

/** A changed fee re-prices the orders that are placed: asked before it is done (contract §4). */
export function useRepriceQuestion(distributionId: number): RepriceQuestion {
  const report = useRead(readCustomerReport, { id: distributionId });
  const [asked, setAsked] = useState<Asked | null>(null);
  const settle = useRef<(isYes: boolean) => void>(() => undefined);
  const progress = report.data ? progressOf(report.data) : null;
  return {
    ask: async (title, confirmLabel, isLost = false) => {
      if (progress?.placed === 0 && !isLost) return true;
      setAsked({ title, confirmLabel, isLost });
      return await new Promise((resolve) => (settle.current = resolve));
    },
    asked,
    answer: (isYes) => {
      setAsked(null);
      settle.current(isYes);
    },
    progress,
  };
}

/** Stands once beside what asks. */
export function RepriceDialog({ question: { asked, answer, progress } }: { question: RepriceQuestion }): ReactNode {
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || answer(false)}
      title={asked?.title ?? ''}
      confirmLabel={asked?.confirmLabel ?? ''}
      isDanger={asked?.isLost === true}
      onConfirm={() => answer(true)}
    >
      <p>{repriced(progress)}</p>
      {asked?.isLost === true && (
        <p className="mt-2">It cannot be undone: added again, this fee would be charged after the others of its sort order.</p>
      )}
    </ConfirmDialog>
  );
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function repriced(progress: Progress | null): string {
  if (!progress) return 'Orders that are already placed will come to another amount.';
  const { placed, withPayment } = progress;
  const paid = withPayment === 0 ? 'none of them paid yet' : `${withPayment} of them with a payment`;
  return placed === 0 ? 'No order is placed yet.' : `This re-prices ${counted(placed, 'order', 'orders')} already placed, ${paid}.`;
}
