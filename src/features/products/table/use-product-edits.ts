import { useCallback, useMemo, useState } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { RepriceDialogState } from '../../catalogue/reprice-dialog.tsx';
import { changeProducts, type Product } from '../contract.ts';
import { changesSavedText } from '../texts.ts';
import { editedProduct, keepMine, NO_EDITS, summaryOf, takeTheirs, withoutSaved, withTyped, type Edits, type Typed } from './edits.ts';

export type ProductEdits = ReturnType<typeof useProductEdits>;

const termsOf = ({ id, unit_price, unit_qty, unit_qty_is_estimate }: Product) => ({ id, unit_price, unit_qty, unit_qty_is_estimate });
const isRepriced = (before: Product, after: Product): boolean => JSON.stringify(termsOf(before)) !== JSON.stringify(termsOf(after));

export function useProductEdits(distributionId: number, products: readonly Product[], question: RepriceDialogState) {
  const byId = useMemo(() => new Map(products.map((product) => [product.id, product])), [products]);
  const [edits, setEdits] = useState(NO_EDITS);
  const [history, setHistory] = useState<readonly Edits[]>([]);
  const [read, setRead] = useState(products);
  // Runs when the products were read again. Edits that are saved by now are removed. If somebody else has changed an edited value, the edit
  // becomes a conflict, because it is still based on the earlier value.
  if (read !== products) {
    setRead(products);
    setEdits(withoutSaved(edits, byId));
  }
  const { save: send, isSaving } = useSave(changeProducts, { refresh: 'always' });
  const summary = useMemo(() => summaryOf(edits, byId), [edits, byId]);

  const change = useCallback(
    (next: Edits): void => {
      setHistory((before) => [...before, edits]);
      setEdits(next);
    },
    [edits],
  );
  const save = async (): Promise<void> => {
    const { changes, saved } = summary;
    const repriced = changes.flatMap(({ id }) => {
      const product = byId.get(id);
      const after = product && editedProduct(product, edits.get(id));
      return after && isRepriced(product, after) ? [termsOf(after)] : [];
    });
    if (repriced.length > 0 && !(await question.mayChange({ products: repriced }))) return;
    const reply = await send({ params: { id: distributionId }, body: { products: [...changes] } });
    if (!reply.ok) return;
    setHistory([]);
    toast({ title: changesSavedText(saved) });
  };
  return {
    edits,
    summary,
    isSaving: isSaving || question.isPreviewing,
    type: useCallback((typed: readonly Typed[]) => change(withTyped(edits, typed)), [change, edits]),
    /** Undoes the last typing or pasting; returns false if there is nothing to undo. */
    undo: () => {
      const last = history.at(-1);
      if (last === undefined) return false;
      setHistory(history.slice(0, -1));
      setEdits(withoutSaved(last, byId));
      return true;
    },
    discard: () => change(NO_EDITS),
    keepMine: (product: Product) => change(keepMine(edits, product)),
    takeTheirs: (id: number, product: Product | undefined) => change(takeTheirs(edits, id, product)),
    save,
  };
}
