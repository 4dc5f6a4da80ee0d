import { useCallback, useMemo, type ReactNode } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { nameDetails, withDetail } from '../../../domain/product-names.ts';
import { RepriceDialog, useRepriceDialog } from '../../catalogue/reprice-dialog.tsx';
import { clearQuantities, NOTHING_CLEARED, type Product } from '../contract.ts';
import { CLEAR_QUANTITIES, clearingText, clearQuestion, NO_ORDERED_UNITS, NO_ORDERS } from '../texts.ts';

const showNothingOrderedToast = (): void => void toast({ title: NO_ORDERS, description: NO_ORDERED_UNITS });

/** Sets the ordered quantities of a product to 0 in all orders, after a confirmation that shows the orders affected now (spec §2). */
export function useClearQuantities(
  distributionId: number,
  products: readonly Product[],
): { clear: (product: Product) => Promise<void>; dialog: ReactNode } {
  const question = useRepriceDialog(distributionId);
  const { foresee, ask } = question;
  const { save } = useSave(clearQuantities);
  const details = useMemo(() => nameDetails(products), [products]);
  const clear = useCallback(
    async ({ id: productId, product_code, name: ownName }: Product): Promise<void> => {
      const name = withDetail(ownName, details.get(productId));
      const repriced = await foresee({ cleared: [productId] });
      if (repriced === null) return;
      if (repriced.units === 0) {
        showNothingOrderedToast();
        return;
      }
      const isYes = await ask(
        {
          title: clearQuestion(name),
          confirmLabel: CLEAR_QUANTITIES,
          isDanger: true,
          text: (now) => <p>{clearingText(name, now)}</p>,
        },
        repriced,
      );
      if (!isYes) return;
      const cleared = await save({ params: { id: distributionId }, body: { productId, product_code } });
      if (!cleared.ok) return;
      // The server returns this message if another user has set the product's quantities to 0 since the confirmation was shown.
      if (cleared.reply.message === NOTHING_CLEARED) showNothingOrderedToast();
      else toast({ title: cleared.reply.message });
    },
    [foresee, ask, save, details, distributionId],
  );
  return { clear, dialog: <RepriceDialog question={question} /> };
}
