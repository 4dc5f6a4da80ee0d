import type { ReactNode } from 'react';
import { toast } from '../../client/toast.tsx';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { useSave } from '../../client/use-calls.ts';
import { clearQuantities, type Product } from './contract.ts';
import { useRepriced } from './repriced-orders.tsx';
import { clearingText } from './texts.ts';

export interface ClearQuantitiesProps {
  distributionId: number;
  /** What is ordered of it becomes 0. */
  product: Product;
  onClose: () => void;
}

/** Asks before every ordered quantity of a product is set to 0 (spec §2); shown as long as it is rendered. */
export function ClearQuantities({ distributionId, product, onClose }: ClearQuantitiesProps): ReactNode {
  const clearing = useSave(clearQuantities, { onSaved: ({ message }) => toast({ title: message }) });
  const repriced = useRepriced(distributionId, [product]);
  const clear = () =>
    clearing.save({ params: { id: distributionId }, body: { productId: product.id, product_code: product.product_code } });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Clear the quantities of ${product.name}?`}
      confirmLabel="Clear quantities"
      isDanger
      onConfirm={() => void clear()}
    >
      <output>{repriced === null ? 'Counting the orders…' : clearingText(product.name, repriced)}</output>
    </ConfirmDialog>
  );
}
