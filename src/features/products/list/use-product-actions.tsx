import { useCallback, useMemo, useState } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { nameDetails, withDetail } from '../../../domain/product-names.ts';
import { clearingText } from '../../catalogue/texts.ts';
import { RepriceDialog, useRepriceDialog } from '../../catalogue/reprice-dialog.tsx';
import { clearQuantities, deleteProduct, NOTHING_CLEARED, offerProduct, type Product } from '../contract.ts';
import {
  CLEAR_QUANTITIES,
  clearQuestion,
  DELETE_PRODUCT,
  deleteProductText,
  DELETING_PRODUCT,
  NO_ORDERED_UNITS,
  NO_ORDERS,
  NOT_OFFERED,
  notOfferedText,
  OFFER_AGAIN,
  offeredAgainText,
  PRODUCT_DELETED,
} from '../texts.ts';

const showNothingOrderedToast = (): void => void toast({ title: NO_ORDERS, description: NO_ORDERED_UNITS });

/** Returns the actions of a product's row that save at once or after a confirmation, and the dialogs of the confirmations. */
export function useProductActions(distributionId: number, products: readonly Product[]) {
  const question = useRepriceDialog(distributionId);
  const { previewChange, ask } = question;
  const { save: saveCleared } = useSave(clearQuantities, { refresh: 'always' });
  const { save: saveOffer } = useSave(offerProduct, { refresh: 'always' });
  const { save: remove } = useSave(deleteProduct, { refresh: 'always' });
  const [toDelete, setToDelete] = useState<Product | null>(null);
  const details = useMemo(() => nameDetails(products), [products]);
  /** Sets the ordered quantities of a product to 0 in all orders, after a confirmation that shows the orders affected now (spec §2). */
  const clear = useCallback(
    async ({ id: productId, product_code, name: ownName }: Product): Promise<void> => {
      const name = withDetail(ownName, details.get(productId));
      const repriced = await previewChange({ cleared: [productId] });
      if (repriced === null) return;
      if (repriced.units === 0) return showNothingOrderedToast();
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
      const cleared = await saveCleared({ params: { id: distributionId }, body: { productId, product_code } });
      if (!cleared.ok) return;
      // The server returns this message if another user has set the product's quantities to 0 since the confirmation was shown.
      if (cleared.reply.message === NOTHING_CLEARED) showNothingOrderedToast();
      else toast({ title: cleared.reply.message });
    },
    [previewChange, ask, saveCleared, details, distributionId],
  );
  /** Withdraws a product or offers it again. */
  const offer = useCallback(
    async ({ id: productId, name, notOffered = false }: Product): Promise<void> => {
      const saved = await saveOffer({ params: { id: distributionId, productId }, body: { notOffered: !notOffered } });
      if (!saved.ok) return;
      if (notOffered) toast({ title: OFFER_AGAIN, description: offeredAgainText(name) });
      else toast({ title: NOT_OFFERED, description: notOfferedText(name) });
    },
    [saveOffer, distributionId],
  );
  /** Deletes a product that was never ordered. Its dialog has asked for confirmation. */
  const confirmed = async (product: Product): Promise<void> => {
    const removed = await remove({ params: { id: distributionId, productId: product.id } });
    if (removed.ok) toast({ title: PRODUCT_DELETED });
  };
  const dialogs = (
    <>
      <RepriceDialog question={question} />
      {toDelete && (
        <ConfirmDialog
          title={deleteProductText(toDelete.name)}
          confirmLabel={DELETE_PRODUCT}
          isDanger
          onConfirm={() => void confirmed(toDelete)}
          onClose={() => setToDelete(null)}
        >
          {DELETING_PRODUCT}
        </ConfirmDialog>
      )}
    </>
  );
  return { clear, offer, askToDelete: setToDelete, dialogs };
}
