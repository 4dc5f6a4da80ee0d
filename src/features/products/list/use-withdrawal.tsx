import { useCallback, useState, type ReactNode } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { deleteProduct, offerProduct, type Product } from '../contract.ts';
import {
  DELETE_PRODUCT,
  deleteProductText,
  DELETING_PRODUCT,
  NOT_OFFERED,
  notOfferedText,
  OFFER_AGAIN,
  offeredAgainText,
  PRODUCT_DELETED,
} from '../texts.ts';

interface Withdrawal {
  offer: (product: Product) => Promise<void>;
  onDelete: (product: Product) => void;
  dialog: ReactNode;
}

/** Withdraws a product or offers it again. A product that was never ordered can be deleted, after a confirmation. */
export function useWithdrawal(distributionId: number): Withdrawal {
  const { save: saveOffer } = useSave(offerProduct);
  const { save: remove } = useSave(deleteProduct);
  const [asked, setAsked] = useState<Product | null>(null);
  const offer = useCallback(
    async ({ id: productId, name, notOffered = false }: Product): Promise<void> => {
      const saved = await saveOffer({ params: { id: distributionId, productId }, body: { notOffered: !notOffered } });
      if (!saved.ok) return;
      if (notOffered) toast({ title: OFFER_AGAIN, description: offeredAgainText(name) });
      else toast({ title: NOT_OFFERED, description: notOfferedText(name) });
    },
    [saveOffer, distributionId],
  );
  const confirmed = async (product: Product): Promise<void> => {
    const removed = await remove({ params: { id: distributionId, productId: product.id } });
    if (removed.ok) toast({ title: PRODUCT_DELETED });
  };
  const dialog = asked && (
    <ConfirmDialog
      title={deleteProductText(asked.name)}
      confirmLabel={DELETE_PRODUCT}
      isDanger
      onConfirm={() => void confirmed(asked)}
      onClose={() => setAsked(null)}
    >
      {DELETING_PRODUCT}
    </ConfirmDialog>
  );
  return { offer, onDelete: setAsked, dialog };
}
