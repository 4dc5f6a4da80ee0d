// The fields of the product dialog.
import { useId, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { CheckField, TextArea, TextField } from '../../../client/ui/forms/field.tsx';
import { dollars } from '../../../domain/money.ts';
import { priceOf } from '../../../domain/order.ts';
import type { ProductFields } from '../contract.ts';
import { ESTIMATE_HINT, FIELDS, LIMIT_HINT, MAX_HINT, PRICE, unitsText } from '../texts.ts';
import { NEW, ProductForm, type ProductTexts } from './product-texts.ts';

export type ProductFormState = UseFormReturn<ProductTexts, unknown, ProductFields>;

interface ProductFormFieldsProps {
  form: ProductFormState;
  /** Suggestions while typing. */
  groups: readonly string[];
  units: readonly string[];
}

export function ProductFormFields({ form, groups, units }: ProductFormFieldsProps): ReactNode {
  const { register, formState } = form;
  const list = useId();
  const errorOf = (field: keyof ProductTexts): string | undefined => formState.errors[field]?.message;
  return (
    <div className="grid grid-cols-2 items-start gap-4 md:grid-cols-6">
      <TextField label={FIELDS.name} error={errorOf('name')} className="col-span-2 md:col-span-4" {...register('name')} />
      <TextField
        label={FIELDS.product_code}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('product_code')}
        className="md:col-span-2"
        {...register('product_code')}
      />
      <TextField
        label={FIELDS.max_order_qty}
        hint={MAX_HINT}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('max_order_qty')}
        className="md:col-span-2"
        {...register('max_order_qty')}
      />
      <TextField
        label={FIELDS.total_limit}
        hint={LIMIT_HINT}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('total_limit')}
        className="md:col-span-2"
        {...register('total_limit')}
      />
      <TextField
        label={FIELDS.product_group}
        list={`${list}-groups`}
        autoComplete="off"
        error={errorOf('product_group')}
        className="col-span-2"
        {...register('product_group')}
      />
      <Suggestions id={`${list}-groups`} texts={groups} />
      <TextArea
        label={FIELDS.description}
        rows={2}
        error={errorOf('description')}
        className="col-span-2 md:col-span-6"
        {...register('description')}
      />
      <TextField
        label={FIELDS.unit_price}
        inputMode="decimal"
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        error={errorOf('unit_price')}
        className="md:col-span-2"
        {...register('unit_price')}
      />
      <TextField
        label={FIELDS.unit_qty}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('unit_qty')}
        className="md:col-span-2"
        {...register('unit_qty')}
      />
      <TextField
        label={FIELDS.uom}
        list={`${list}-units`}
        autoComplete="off"
        error={errorOf('uom')}
        className="col-span-2"
        {...register('uom')}
      />
      <Suggestions id={`${list}-units`} texts={units} />
      <div className="col-span-2 md:col-span-6">
        <CheckField label={FIELDS.unit_qty_is_estimate} hint={ESTIMATE_HINT} {...register('unit_qty_is_estimate')} />
        <PriceLine form={form} />
      </div>
    </div>
  );
}

function Suggestions({ id, texts }: { id: string; texts: readonly string[] }): ReactNode {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </datalist>
  );
}

/** Shows the price per unit, and updates it while the user types. */
function PriceLine({ form }: { form: ProductFormState }): ReactNode {
  const texts = useWatch({ control: form.control });
  const read = ProductForm.safeParse({ ...NEW, ...texts, name: 'any' });
  return (
    <output className="mt-3 block text-s">
      {read.success && (
        <>
          {PRICE} <strong className="num">{dollars(priceOf(read.data))}</strong>{' '}
          <span className="text-ink-soft">{unitsText(read.data)}</span>
        </>
      )}
    </output>
  );
}
