// The dialog asks for confirmation before a change that re-prices orders. It shows the number of orders, how many of them have payments,
// and the amounts (contract §4).
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { useSave } from '../../client/api/use-calls.ts';
import { dollars } from '../../domain/money.ts';
import { readRepricingPreview, type PlannedChangeInput, type Repriced } from './contract.ts';
import {
  CHANGED_PRODUCTS,
  listText,
  namesText,
  ORDERS_OF,
  repricedText,
  repriceLabel,
  repriceQuestion,
  TOGETHER,
  WITH_PAYMENTS,
} from './texts.ts';

interface RepricingConfirmation {
  /**
   * The title of the dialog; by default, a question that names the products whose price changes. `confirmLabel` is the label of its button.
   */
  title?: string;
  confirmLabel?: string;
  isDanger?: boolean;
  /** Returns the text of the dialog; by default, the sentence about the affected orders. */
  text?: (repriced: Repriced) => ReactNode;
}

export type RepriceDialogState = ReturnType<typeof useRepriceDialog>;

export function useRepriceDialog(distributionId: number) {
  // A preview changes nothing on the server, so the page need not read its data again after it.
  const { save: readPreview, isSaving: isPreviewing } = useSave(readRepricingPreview, { refresh: false });
  const [pending, setPending] = useState<(RepricingConfirmation & { repriced: Repriced }) | null>(null);
  const settle = useRef<(isYes: boolean) => void>(() => undefined);
  /** Previews the change against the current orders. Returns null when the preview cannot be loaded; a toast has then reported the error. */
  const previewChange = useCallback(
    async (body: PlannedChangeInput) => {
      const preview = await readPreview({ params: { id: distributionId }, body });
      return preview.ok ? preview.reply : null;
    },
    [readPreview, distributionId],
  );
  const ask = useCallback(async (question: RepricingConfirmation, repriced: Repriced) => {
    setPending({ ...question, repriced });
    return await new Promise<boolean>((resolve) => (settle.current = resolve));
  }, []);
  /**
   * Asks the user for confirmation if the change affects orders. Resolves to true if the change may be saved: if it affects no order, or if
   * the user agrees.
   */
  const mayChange = async (change: PlannedChangeInput, question: RepricingConfirmation = {}): Promise<boolean> => {
    const repriced = await previewChange(change);
    return repriced !== null && (repriced.orders.count === 0 || (await ask(question, repriced)));
  };
  const answer = (isYes: boolean): void => {
    setPending(null);
    settle.current(isYes);
  };
  return { previewChange, ask, mayChange, isPreviewing, pending, answer };
}

/** Renders the dialog that `useRepriceDialog` opens. Each component that uses the hook renders this dialog once. */
export function RepriceDialog({ question: { pending, answer } }: { question: Pick<RepriceDialogState, 'pending' | 'answer'> }): ReactNode {
  if (!pending) return null;
  const { repriced } = pending;
  return (
    <ConfirmDialog
      title={pending.title ?? repriceQuestion(repriced.products)}
      confirmLabel={pending.confirmLabel ?? repriceLabel(repriced.products)}
      isDanger={pending.isDanger === true}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      {pending.text?.(repriced) ?? <p>{repricedText(repriced)}</p>}
      <RepricedOrders repriced={repriced} />
    </ConfirmDialog>
  );
}

/**
 * Lists the affected products and customers, and the total before and after the change. If only one product is affected, it is not listed,
 * because the question names it.
 */
function RepricedOrders({ repriced: { products, orders, paid, before, after } }: { repriced: Repriced }): ReactNode {
  if (orders.count === 0) return null;
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t border-line pt-3 text-s">
      {products.count > 1 && (
        <>
          <dt>{CHANGED_PRODUCTS}</dt>
          <dd className="text-ink">{listText(products.names, products.count)}</dd>
        </>
      )}
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
