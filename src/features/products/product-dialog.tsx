import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/dialog.tsx';
import { useSave } from '../../client/use-calls.ts';
import { addProduct, changeProduct, type Product, type ProductFields } from './contract.ts';
import { ProductForm, ProductFormFields, textsOf, type ProductTexts } from './product-form.tsx';
import { isRepriced, RepricedOrders } from './repriced-orders.tsx';
import { PRODUCT_ADDED, PRODUCT_UPDATED } from './texts.ts';

export interface ProductDialogProps {
  distributionId: number;
  /** null: add one. */
  product: Product | null;
  products: readonly Product[];
  onClose: () => void;
  onSaved: (product: Product) => void;
}

/** Adds or edits one product; shown as long as it is rendered. */
export function ProductDialog({ distributionId, product, products, onClose, onSaved }: ProductDialogProps): ReactNode {
  const form = useForm<ProductTexts, unknown, ProductFields>({ defaultValues: textsOf(product), resolver: zodResolver(ProductForm) });
  const [asked, setAsked] = useState<ProductFields | null>(null);
  const done = (title: string) => (saved: Product) => {
    toast({ title });
    onSaved(saved);
    onClose();
  };
  const adding = useSave(addProduct, { onSaved: done(PRODUCT_ADDED) });
  const changing = useSave(changeProduct, { onSaved: done(PRODUCT_UPDATED) });
  const save = async (body: ProductFields): Promise<void> => {
    if (product === null) await adding.save({ params: { id: distributionId }, body });
    else await changing.save({ params: { id: distributionId, productId: product.id }, body });
  };
  const submit = form.handleSubmit(async (fields) => {
    if (product !== null && isRepriced(product, fields)) setAsked(fields);
    else await save(fields);
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={product === null ? 'Add Product' : 'Edit Product'}
      size="m"
      isDirty={form.formState.isDirty}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <ProductFormFields form={form} groups={distinct(products, 'product_group')} units={distinct(products, 'uom')} />
        <DialogFooter>
          <DialogCancel />
          <Button type="submit" variant="main" isLoading={adding.isSaving || changing.isSaving}>
            {product === null ? 'Add Product' : 'Save Product'}
          </Button>
        </DialogFooter>
      </form>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title="Change the price of what is ordered?"
        confirmLabel="Change the price"
        onConfirm={() => asked && void save(asked)}
      >
        {product && <RepricedOrders distributionId={distributionId} products={[product]} />}
      </ConfirmDialog>
    </Dialog>
  );
}

const distinct = (products: readonly Product[], field: 'product_group' | 'uom'): string[] =>
  [...new Set(products.map((product) => product[field]))].filter((text) => text !== null);
