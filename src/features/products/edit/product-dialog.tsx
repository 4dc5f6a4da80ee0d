import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { toast } from '../../../client/toasts/toast.ts';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { changedFields } from '../../../client/api/changed-fields.ts';
import { useRead, useSave, type Saved } from '../../../client/api/use-calls.ts';
import { RepriceDialog, useRepriceDialog } from '../../catalogue/reprice-dialog.tsx';
import { repricedText, termsChangeText } from '../../catalogue/texts.ts';
import { addProduct, changeProduct, listProducts, PRODUCT_FIELDS, type Product, type ProductFields } from '../contract.ts';
import { otherCodeText, isForOtherCode, PictureField, useSavePicture, type PictureChange } from '../pictures/picture-field.tsx';
import { ProductFormFields } from './product-form.tsx';
import { ProductForm, textsOf, type ProductTexts } from './product-texts.ts';
import { ADD_PRODUCT, EDIT_PRODUCT, PICTURE_CHANGED, PRODUCT_ADDED, PRODUCT_UPDATED, SAVE_PRODUCT } from '../texts.ts';
import { UNREAD_VALUE_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import { replacesText } from '../../../client/previous-values/texts.ts';

interface ProductDialogProps {
  distributionId: number;
  /** The product to edit; null for a new product. */
  product: Product | null;
  products: readonly Product[];
  onClose: () => void;
  onSaved: (product: Product) => void;
}

export function ProductDialog({ distributionId, product: opened, products, onClose, onSaved }: ProductDialogProps): ReactNode {
  const form = useForm<ProductTexts, unknown, ProductFields>({ defaultValues: textsOf(opened), resolver: zodResolver(ProductForm) });
  // The product that the dialog edits. If a new product was saved but its picture was refused, the dialog edits the saved product from then
  // on.
  const [product, setProduct] = useState(opened);
  const [picture, setPicture] = useState<PictureChange>(null);
  const [refusal, setRefusal] = useState<string>();
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  const code = codeIn(useWatch({ control: form.control, name: 'product_code' }));
  const adding = useSave(addProduct);
  const changing = useSave(changeProduct);
  const savePicture = useSavePicture();
  const question = useRepriceDialog(distributionId);
  const stored = useRead(listProducts, { id: distributionId }, { enabled: false });
  const finish = async (saved: Saved<typeof addProduct>): Promise<void> => {
    if (!saved.ok) return;
    const refused = await savePicture(saved.reply.product_code, picture);
    toast({ title: product === null ? PRODUCT_ADDED : PRODUCT_UPDATED });
    onSaved(saved.reply);
    if (refused === null) return onClose();
    setProduct(saved.reply);
    form.reset(textsOf(saved.reply));
    // The field then shows the picture that somebody else has saved.
    if (refused === PICTURE_CHANGED) setPicture(null);
    setRefusal(refused);
  };
  const mayReprice = (before: Product, fields: ProductFields): Promise<boolean> =>
    question.mayChange(
      { products: [{ ...fields, id: before.id }] },
      {
        text: (repriced) => (
          <>
            <p className="mb-2 font-semibold text-ink">{termsChangeText(before, fields)}</p>
            <p>{repricedText(repriced)}</p>
          </>
        ),
      },
    );
  const { isUnread, setUnread } = useUnread(undefined, UNREAD_VALUE_MS);
  /**
   * Shows, under the fields that both this user and somebody else have changed, the value that the next save replaces. Returns whether there
   * is such a field.
   */
  const showReplaced = (before: Product, current: Product, fields: ProductFields): boolean => {
    const replaced = PRODUCT_FIELDS.filter(
      (name) => dirtyFields[name] === true && current[name] !== before[name] && current[name] !== fields[name],
    );
    setProduct(current);
    for (const [index, name] of replaced.entries())
      form.setError(name, { message: replacesText(String(textsOf(current)[name])) }, { shouldFocus: index === 0 });
    if (replaced.length > 0) setUnread();
    return replaced.length > 0;
  };
  const choosePicture = (change: PictureChange): void => {
    setPicture(change);
    setRefusal(undefined);
    form.clearErrors('product_code');
  };
  const submit = form.handleSubmit(async (fields) => {
    // If the picture was chosen for another code than the one now typed, nothing is saved and the field of the code shows an error.
    // Otherwise the picture would be saved under the wrong code, or lost without a message.
    if (isForOtherCode(picture, code))
      return form.setError('product_code', { message: otherCodeText(picture, code) }, { shouldFocus: true });
    const id = distributionId;
    if (product === null) return await finish(await adding.save({ params: { id }, body: { ...fields, distributionId: id } }));
    // The product is read again, because another user may have changed it since the dialog was opened. If reading fails, the save will
    // report the error.
    const current = (await stored.refetch()).data?.find((other) => other.id === product.id) ?? product;
    if (showReplaced(product, current, fields)) return;
    const changes = changedFields(fields, dirtyFields);
    if (!(await mayReprice(current, { ...current, ...changes }))) return;
    // The server refuses the save if somebody else has changed one of these fields while the question was open.
    const body = { ...changes, id: product.id, before: changedFields<ProductFields>(current, dirtyFields) };
    await finish(await changing.save({ params: { id, productId: product.id }, body }));
  });
  return (
    <Dialog onClose={onClose} title={product === null ? ADD_PRODUCT : EDIT_PRODUCT} size="m" isDirty={isDirty || picture !== null}>
      <DialogForm
        {...ignoreUnread(isUnread)}
        submitLabel={product === null ? ADD_PRODUCT : SAVE_PRODUCT}
        isSaving={isSubmitting}
        onSubmit={submit}
      >
        <ProductFormFields
          form={form}
          ordered={product?.total_ordered ?? 0}
          groups={distinct(products, 'product_group')}
          units={distinct(products, 'uom')}
        />
        <div className="mt-5 border-t border-line pt-4">
          <PictureField code={code} change={picture} refusal={refusal} onChange={choosePicture} />
        </div>
      </DialogForm>
      <RepriceDialog question={question} />
    </Dialog>
  );
}

const codeIn = (typed: string): number | null => (/^\s*\d{1,10}\s*$/.test(typed) ? Number(typed) : null);

const distinct = (products: readonly Product[], field: 'product_group' | 'uom'): string[] =>
  [...new Set(products.map((product) => product[field]))].filter((text) => text !== null);
